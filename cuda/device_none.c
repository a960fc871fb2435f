/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "device.h"

#define WHY "built without CUDA; install nvcc and build again"

cgct_status device_count(int *count, cgct_err *err)
{
    *count = 0;
    return cgct_fail(err, CGCT_E_DEVICE, WHY);
}

cgct_status device_probe(int id, device_info *info, cgct_err *err)
{
    (void)id;
    *info = (device_info){0};
    return cgct_fail(err, CGCT_E_DEVICE, WHY);
}
