#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# deps.sh list | install | tests: Debian packages that the build needs and this machine lacks;
# tests: those of bindings, too, which say so where a package cannot be had.  It counts as present
# when what it is needed for works, whoever installed it.
set -eu

has_pkg() { pkg-config --exists "$1" 2>/dev/null; }
# shellcheck disable=SC2086  # CC may have words of its own: "ccache gcc"
has_cc() { printf '#include <stdio.h>\n' | ${CC:-gcc} -E - >/dev/null 2>&1; }

missing() {
    has_cc || echo gcc libc6-dev
    command -v make >/dev/null || echo make
    command -v pkg-config >/dev/null || echo pkg-config
    has_pkg gsl || echo libgsl-dev
    has_pkg openblas || echo libopenblas-openmp-dev
    has_pkg libzstd || echo libzstd-dev
    has_pkg check || echo check
    has_pkg inih || echo libinih-dev
    command -v gnuplot >/dev/null || echo gnuplot-nox
}

has_numpy() { "$1" -c 'import numpy' 2>/dev/null; }
has_hepmc() { printf '#include <HepMC3/GenEvent.h>\n' | g++ -E -x c++ - >/dev/null 2>&1; }

missing_in_tests() {
    command -v g++ >/dev/null || echo g++
    command -v gfortran >/dev/null || echo gfortran
    command -v zstd >/dev/null || echo zstd
    command -v zsh >/dev/null || echo zsh
    command -v cmake >/dev/null || echo cmake
    command -v man >/dev/null && command -v groff >/dev/null || echo man-db
    has_hepmc || echo libhepmc3-dev
    python3 -c 'import ensurepip' 2>/dev/null || echo python3-venv
    has_numpy python3 || has_numpy /usr/bin/python3 || echo python3-numpy
}

if [ "${1:-list}" = tests ]; then
    sh "$0" install
    need=$(missing_in_tests | xargs)
    sudo=
    [ "$(id -u)" -eq 0 ] || sudo=sudo
    if [ -n "$need" ] && command -v apt-get >/dev/null; then
        echo "installing for tests: $need"
        # shellcheck disable=SC2086  # a list of words
        { $sudo apt-get update -qq && $sudo env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends $need; } >/dev/null 2>&1 || true
    fi
    need=$(missing_in_tests | xargs)
    [ -z "$need" ] || echo "not there, tests that want them say so: $need"
    exit 0
fi

need=$(missing | xargs)
[ -n "$need" ] || exit 0

case ${1:-list} in
install) ;;
*)
    echo "missing packages: $need: 'make deps' installs them on Debian" >&2
    exit 1
    ;;
esac

if ! command -v apt-get >/dev/null; then
    echo "missing (names of Debian packages): $need: install their counterparts and run again" >&2
    exit 1
fi
sudo=
if [ "$(id -u)" -ne 0 ]; then
    sudo=sudo
    if ! command -v sudo >/dev/null; then
        echo "missing packages: $need: as root, run 'apt-get install $need'" >&2
        exit 1
    fi
fi
echo "installing $need"
$sudo apt-get update -qq
# shellcheck disable=SC2086  # a list of words
$sudo env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $need >/dev/null
need=$(missing | xargs)
[ -z "$need" ] || { echo "still missing after installation: $need" >&2; exit 1; }
