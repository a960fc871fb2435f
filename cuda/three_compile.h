/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_compile.h: compiles the text of an integrand of three momenta for a device, with NVRTC. */
#ifndef CGCT_THREE_COMPILE_H
#define CGCT_THREE_COMPILE_H
#include "format/error.h"

typedef struct {
    const char *path; /* in messages; its folder is searched for included files */
    const char *text;
    void (*report)(const char *line); /* called with each error, "path:line: what" */
} three_source;

typedef struct {
    char *code; /* cubin, or PTX for a device newer than the compiler */
    char arch[24];
} three_image;

/* In       capability of the device, 10 major + minor; 0: no device, any architecture
 * Out      *image (free code), arch e.g. "sm_90"
 * Returns  OK; E_DEVICE (no NVRTC, device too old for it), E_FORMAT (does not compile: reported, or
 *          has no THREE_INTEGRAND). */
cgct_status three_compile(const three_source *source, int capability, three_image *image,
                          cgct_err *err);

/* The texts of generator/three/three_*.h that an integrand may include, and of the Gaussian family;
 * arrays that cuda/rules.mk makes from these files. */
extern const char text_three_integrand_h[], text_three_user_h[], text_three_kernel_h[],
    text_three_gaussian_cu[];
#endif
