/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device.h"

/* Results per clock and multiprocessor. */
static int fp64_lanes(int major, int minor)
{
    if (minor) return 2; /* 6.1, 7.5, 8.6, 8.9: parts for graphics */
    switch (major) {
    case 6:
    case 7:
    case 8:
        return 32;
    case 9:
    case 10:
        return 64;
    default:
        return 2;
    }
}

double device_fp64_rate(const device_info *d)
{
    return d->clock * d->multiprocessors * fp64_lanes(d->major, d->minor);
}
