/* SPDX-License-Identifier: GPL-3.0-or-later */
/* three_momentum_file.h: the modes of a three-momentum transform as a file (format/THREE.md). */
#ifndef CGCT_THREE_MOMENTUM_FILE_H
#define CGCT_THREE_MOMENTUM_FILE_H
#include "format/three_archive.h"
#include "three/momentum.h"

/* In       t; of *head: momenta and angles with their numbers, parameters, texts
 * Returns  as cgct_three_save */
cgct_status three_momentum_save(const char *path, const three_momentum *t, const cgct_three *head,
                                cgct_err *err);

/* Out      *t (free with three_momentum_free, also after a failure), *head as cgct_three_load gives
 *          it, whose pointers lie in *memory (free it, also after a failure) */
cgct_status three_momentum_load(const char *path, three_momentum **t, cgct_three *head,
                                void **memory, cgct_err *err);
#endif
