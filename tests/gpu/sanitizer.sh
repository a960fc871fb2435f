#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitizer.sh PROGRAM [DEVICE]: the program under each tool of compute-sanitizer; exit 1 where one
# complains.
set -eu
if ! command -v compute-sanitizer >/dev/null; then
    echo 'check-gpu-sanitizer: skipped, no compute-sanitizer'
    exit 0
fi
program=$1 device=${2:-0} bad=0
for tool in memcheck initcheck synccheck; do
    echo "== $tool"
    compute-sanitizer --tool "$tool" --error-exitcode 3 "$program" "$device" || bad=1
done
# racecheck looks at shared memory, which of our kernels only `assemble` has.  Over all of the
# program it took 128 GiB of the host and was killed in `cuda-table`, mvgamma, 67 angles, the sixth.
# Hence each case above 40 angles is left out, and cuBLAS with its own kernels; the others run in a
# process each, up to the first complaint.  They have every variant of `assemble` that the whole
# program runs.  If memory grows with the samples since the start of a process, the largest of them
# takes less than a tenth of that.
echo '== racecheck'
n=0 status=0
while [ "$status" -eq 0 ]; do
    compute-sanitizer --tool racecheck --error-exitcode 3 "$program" "$device" "$n" || status=$?
    n=$((n + 1))
done
[ "$status" -eq 77 ] || bad=1 # 77: there is no case n, or no GPU
exit "$bad"
