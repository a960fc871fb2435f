#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# bring.sh DIR: unpacks the Debian packages of the libraries under DIR, to be carried to a machine
# that has CUDA, make and gcc only; there: make check-gpu DEPS=DIR.
set -eu
[ $# -eq 1 ] || { echo "usage: bring.sh DIR" >&2; exit 2; }
packages="libgsl-dev libgsl27 libgslcblas0 libopenblas-openmp-dev libopenblas0-openmp libgfortran5
    libquadmath0 libinih-dev libinih1 libzstd-dev libzstd1"
mkdir -p "$1/deb"
# shellcheck disable=SC2086  # a list of words
(cd "$1/deb" && apt-get download -qq $packages)
for file in "$1"/deb/*.deb; do dpkg -x "$file" "$1"; done
# headers, the shared libraries and their names: nothing else is needed there
rm -rf "${1:?}/deb" "${1:?}/usr/share" "${1:?}/usr/bin"
find "$1" \( -name '*.a' -o -name 'liblapack*' -o -name 'libblas*' \) -delete
du -sh "$1"
