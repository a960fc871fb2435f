#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# count_operations.sh [NVCC]: operations in double precision of one sample in the inner loop of each
# variant of the kernel `assemble` (three samples a turn), as the compiler leaves them.
set -eu
cd "$(dirname "$0")/../.."
nvcc=${1:-nvcc}
ptx=$(mktemp) || exit 1
trap 'rm -f "$ptx"' EXIT
"$nvcc" -std=c++17 -O3 -arch=sm_90 -I. -Igenerator -ptx -o "$ptx" cuda/kernels.cu
awk '
    /\.entry/ { name = match($0, /assemble_kernelILi[0-9]/) ? substr($0, RSTART + 18, 1) : "" }
    /^\$L/ { reciprocals = operations = 0 }
    /rcp\.approx/ { reciprocals++ }
    /(fma\.rn|mul|add|sub)\.f64|setp\.[a-z]+\.f64/ { operations++ }
    /bra/ {
        if (name != "" && reciprocals == 3)
            printf "%s %.2f operations a sample\n", kind[name], operations / 3
        reciprocals = operations = 0
    }
    BEGIN { split("FAR_LOOKUP FAR_LINEAR FAR_TURNED", k, " "); for (i in k) kind[i - 1] = k[i] }
' "$ptx" | sort
