/* SPDX-License-Identifier: MIT */
/* three_layout.h: the numbers of THREE.md; what kind 1 has, too, stands in layout.h. */
#ifndef CGCT_THREE_LAYOUT_H
#define CGCT_THREE_LAYOUT_H
#include "layout.h"

enum {
    CGCT_KIND_THREE = 3,
    CGCT_THREE_MAJOR = 1,
    CGCT_THREE_MINOR = 0,
    CGCT_THREE_DATA_VERSION = 1,
    CGCT_THREE_TEXTS = 2,
    CGCT_THREE_TEXT_MAX = 1 << 20
};

enum {
    CGCT_THREE_AT_M = 52,
    CGCT_THREE_AT_SETS = 56,
    CGCT_THREE_AT_COMPLEX = 60,
    CGCT_THREE_AT_SYMMETRIC = 64,
    CGCT_THREE_AT_ANGLES = 68,
    CGCT_THREE_AT_NPAR = 76,
    CGCT_THREE_AT_TEXT = 80,
    CGCT_THREE_AT_RESERVED = 84, /* 4 bytes */
    CGCT_THREE_AT_BODY_CRC = 88,
    CGCT_THREE_AT_RESERVED2 = 96, /* up to the generator */
    CGCT_THREE_AT_RESERVED3 = 208 /* up to the crc */
};
#endif
