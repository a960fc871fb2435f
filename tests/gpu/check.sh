#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check.sh CHECK_GPU BIN [DEVICE]: the program check_gpu, then check_run.sh on the same GPU; ends
# with the sum of both, or says that there is no GPU.  A part that ends without its sum has failed.
set -u
if [ $# -gt 2 ]; then # `cgctab-generate three` takes the first device that it sees
    IFS=, read -ra visible <<<"${CUDA_VISIBLE_DEVICES-}"
    export CUDA_VISIBLE_DEVICES="${visible[$3]:-$3}"
fi
said=$(mktemp) || exit 2
trap 'rm -f "$said"' EXIT
"$1" | tee "$said"
if grep -q '^check-gpu: skipped' "$said"; then exit 0; fi
bash "$(dirname "$0")/check_run.sh" "$2" cuda-separable | tee -a "$said"
awk '/^[0-9]+ passed, [0-9]+ failed$/ { passed += $1; failed += $3; parts++ }
    END {
        failed += 2 - parts
        print "check-gpu: " passed + 0 " passed, " failed " failed"
        exit failed > 0
    }' "$said"
