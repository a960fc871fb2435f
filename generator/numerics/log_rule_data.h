/* SPDX-License-Identifier: GPL-3.0-or-later */
/* log_rule_data.h: the rule on [0,1] that is exact for x^i and x^i ln x, i < 14; made by
 * tests/refs/make_log_rule_data.py with mpmath 1.3.0, 50 digits. */
#ifndef CGCT_LOG_RULE_DATA_H
#define CGCT_LOG_RULE_DATA_H

/* clang-format off */
enum { LOG_RULE_NODES = 14 };
/* nodes */
static const double LOG_RULE_X[LOG_RULE_NODES] = {
    0x1.201536afa145ap-13, 0x1.09d6b37750d1bp-9, 0x1.40c72170bc094p-7,
    0x1.def262ca94277p-6, 0x1.10655ae2af24ap-4, 0x1.032aacc6565c7p-3,
    0x1.b19058ff0cbb3p-3, 0x1.4862e0a0544ffp-2, 0x1.caf8fd881da77p-2,
    0x1.2ba83cb732b9cp-1, 0x1.70b23854c29d4p-1, 0x1.adf9fbfd050c0p-1,
    0x1.dd2e757a30de2p-1, 0x1.f93bdedec08fcp-1,
};
/* weights */
static const double LOG_RULE_W[LOG_RULE_NODES] = {
    0x1.12623e966030ep-11, 0x1.0371718963ed8p-8, 0x1.9b6b217ad10f5p-7,
    0x1.c09de88e483b8p-6, 0x1.894772f752f1ep-5, 0x1.28e71dd0f5d3dp-4,
    0x1.8fd78da18ec52p-4, 0x1.e95b0bc8c8a09p-4, 0x1.128ec4b412bd0p-3,
    0x1.1abfedb913221p-3, 0x1.0914c0e14804bp-3, 0x1.b9c650e4223a9p-4,
    0x1.329fdfd480bf4p-4, 0x1.14497c15b6b87p-5,
};
/* clang-format on */
#endif
