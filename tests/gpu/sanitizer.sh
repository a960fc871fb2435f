#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# sanitizer.sh PROGRAM [DEVICE]: the program under each tool of compute-sanitizer; exit 1 where one
# complains.
set -eu
if ! command -v compute-sanitizer >/dev/null; then
    echo 'check-gpu-sanitizer: skipped, no compute-sanitizer'
    exit 0
fi
bad=0
for tool in memcheck racecheck initcheck synccheck; do
    echo "== $tool"
    compute-sanitizer --tool "$tool" --error-exitcode 3 "$@" || bad=1
done
exit "$bad"
