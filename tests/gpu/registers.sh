#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# registers.sh [NVCC [ARCHITECTURE...]]: registers of a thread of each kernel and bytes that it
# spills, as the compiler reports them.
set -eu
cd "$(dirname "$0")/../.."
nvcc=${1:-nvcc}
[ $# -eq 0 ] || shift
object=$(mktemp) || exit 1
trap 'rm -f "$object"' EXIT
report() { # report ARCHITECTURE
    awk -v arch="$1" '
        /Compiling entry function/ {
            name = match($0, /[a-z]+_kernel(ILi[0-9])?/) ? substr($0, RSTART, RLENGTH) : "?"
            sub(/_kernel/, "", name)
            sub(/ILi/, " ", name)
        }
        / bytes spill stores/ { spilt = $5 + $9 }
        /Used [0-9]+ registers/ {
            match($0, /Used [0-9]+/)
            used = substr($0, RSTART + 5)
            printf "sm_%s %-12s %3d registers, %d bytes spilled\n", arch, name, used, spilt
        }
    ' | sort
}
for arch in "${@:-90}"; do
    "$nvcc" -std=c++17 -O3 -I. -Igenerator "-arch=sm_$arch" -Xptxas -v -cubin -o "$object" \
        cuda/kernels.cu 2>&1 |
        report "$arch"
done
