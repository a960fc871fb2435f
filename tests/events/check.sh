#!/usr/bin/env bash
# SPDX-License-Identifier: GPL-3.0-or-later
# check.sh: cross sections of cgctab-events against a direct integration, and its events through
# Pythia 8 to hadrons and jets: light quarks, charm, beauty and photoproduction.  Needs Python
# packages, which it installs into $BUILD/events from PyPI, or from the folder that PIP_FIND_LINKS
# names.
# PYTHIA8=PREFIX (or pythia8-config in the path) and libHepMC3 let it run the examples in C++, too.
set -eu -o pipefail
: "${BUILD:=build}" "${EVENTS_N:=10000}" "${CXX:=g++}"
top=$(cd "$(dirname "$0")/../.." && pwd)
bin=$(cd "$BUILD" && pwd)
examples=$top/reader/examples
mkdir -p "$bin/events"
cd "$bin/events"
python=$bin/events/venv/bin/python

stop() {
    echo "check-events: $*" >&2
    exit 1
}

install_wheels() {
    local wheels='pythia8mc==8.317.0 pyhepmc==2.16.1 pylhe==2.1.0 fastjet==3.5.2.0'
    wheels="$wheels matplotlib pyyaml"
    [ -f venv/complete ] && return
    python3 -m venv venv || stop "python3 has no module venv (python3-venv)"
    # shellcheck disable=SC2086 # several packages
    "$python" -m pip install -q --only-binary :all: --disable-pip-version-check $wheels ||
        stop "not run: pip cannot install $wheels; this needs the network (pypi.org)," \
            "or wheels in a folder: PIP_NO_INDEX=1 PIP_FIND_LINKS=FOLDER make check-events"
    touch venv/complete
}

# chain NAME N JETS ARGUMENTS: events of a table to hadrons, and what must hold; to jets and a
# picture where JETS, options of dijets.py, is not empty.
chain() {
    local name=$1 n=$2 jets=$3
    shift 3
    echo "--- $name: cgctab-events $*"
    "$bin/bin/cgctab-events" "$@" -n "$n" -o "$name.partons.lhe"
    "$python" "$examples/shower.py" "$name.partons.lhe" -o "$name.hadrons.hepmc" \
        --partons "$name.shower.hepmc"
    if [ -n "$jets" ]; then
        # shellcheck disable=SC2086 # several options
        "$python" "$examples/dijets.py" "$name.partons.lhe" "$name.shower.hepmc" \
            "$name.hadrons.hepmc" $jets -o "$name.png" | grep -v '^#' # FastJet's banner
        echo "$bin/events/$name.png"
    fi
    PYTHONPATH=$examples "$python" "$top/tests/events/check.py" "$name" | grep -v '^#'
}

# The examples in C++: the same number of hadronised events and the same cross section.
twins() {
    local flags prefix=${PYTHIA8:-}
    [ -n "$prefix" ] || prefix=$(pythia8-config --prefix 2>/dev/null) || prefix=
    if [ -z "$prefix" ]; then
        echo "check-events: examples in C++ not run: no pythia8-config, no PYTHIA8=PREFIX"
        return
    fi
    if ! echo '#include <HepMC3/GenEvent.h>' | "$CXX" -E -x c++ - >/dev/null 2>&1; then
        echo "check-events: examples in C++ not run: no headers of HepMC3 (libhepmc3-dev)"
        return
    fi
    flags="-std=c++11 -O1 -Wall -Wextra -Werror -I$bin/include -I$top/reader/bindings"
    for name in shower events_pythia; do
        # shellcheck disable=SC2086 # several flags
        "$CXX" $flags -isystem "$prefix/include" -o $name "$examples/$name.cc" \
            "$bin/lib/libcgctab.a" -L"$prefix/lib" -Wl,-rpath,"$prefix/lib" -lpythia8 -lHepMC3 \
            -ldl -pthread
    done
    [ ! -d "$prefix/share/Pythia8/xmldoc" ] || export PYTHIA8DATA=$prefix/share/Pythia8/xmldoc
    ./shower hera.partons.lhe cxx.hadrons.hepmc | tee cxx.shower
    ./events_pythia "$top/tables/proton-mve.cgct" 27.5x920 direct.hadrons.hepmc "$EVENTS_N" |
        tee cxx.direct
    ./events_pythia "$top/tables/proton-mve.cgct" 27.5x920 K.hadrons.hepmc "$EVENTS_N" 3:6 |
        tee cxx.K.direct
    for cut in --pt=2 --K=3:6; do
        "$bin/bin/cgctab-events" "$top/tables/proton-mve.cgct" --beams 27.5x920 --Q2 4:50 \
            --y 0.1:0.9 --z 0.1:0.9 "$cut" --flavours u,d,s,c,b --dry-run >"cxx.$cut"
    done
    PYTHONPATH=$examples "$python" "$top/tests/events/check.py" --twins
}

# Forward dijets of proton-nucleus collisions, with parton distributions of Pythia's wheel: Pythia
# takes all events but those whose beams lack the energy for q.
forward() {
    local n=2000 table=$top/tables/proton-pa.cgct grids=$bin/events/venv/share/Pythia8/pdfdata
    if [ ! -f "$table" ]; then
        echo "check-events: forward dijets not run: no tables/proton-pa.cgct"
        return
    fi
    "$bin/bin/cgctab-events" "$table" --process pa --beams 100x100 --y 2.5:4 --pt 1.5 -n "$n" \
        --pdf "$grids/NNPDF31_lo_as_0118_0000.dat" -o forward.lhe
    "$python" "$examples/forward.py" forward.lhe --trigger 1.5 --associate 0.7 >forward.csv
    awk -v n="$n" 'NR == 1 { events = $2; triggers = $4 } NR > 1 { split($0, v, ","); sum += v[2] }
        END { exit !(events >= 0.99 * n && triggers > 10 && sum > 0) }' forward.csv ||
        stop "Pythia does not take the forward dijets"
}

# section FLAVOURS MASS TABLE EE EP Q2 Y Z Q PT K: cgctab-events against integrate.c; ranges are
# LO:HI.
section() {
    local flavours=$1 mass=$2 table=$top/tables/$3 beams=$4x$5 area=42 own direct charges2 option
    case $flavours in
        u,d,s) charges2=0.66666666667 option=--m-light ;;
        c) charges2=0.44444444444 option=--m-c ;;
        b) charges2=0.11111111111 option=--m-b ;;
    esac
    local name="$flavours of $mass GeV, $3 $beams Q2 $6 y $7 z $8 q $9 pt ${10} K ${11}"
    own=$("$bin/bin/cgctab-events" "$table" --S-perp "$area" --beams "$beams" --Q2 "$6" --y "$7" \
        --z "$8" --q "$9" --pt "${10}" --K "${11}" --flavours "$flavours" "$option" "$mass" \
        --dry-run | head -n 1)
    # shellcheck disable=SC2046 # the ranges become two words each
    direct=$(./integrate "$table" "$4" "$5" $(echo "$6 $7 $8 $9 ${10} ${11}" | tr : ' ') "$area" \
        "$charges2" "$mass")
    awk -v own="$own" -v direct="$direct" -v name="$name" 'BEGIN {
        split(own, a); split(direct, b)
        pull = (a[3] - b[3]) / sqrt(a[5] ^ 2 + b[5] ^ 2)
        printf "%s: %s +- %s pb, directly %s +- %s pb, %.2f sigma\n", \
            name, a[3], a[5], b[3], b[5], pull
        exit !(a[3] > 0 && b[5] < 1.05e-3 * b[3] && pull * pull < 9)
    }' || stop "the cross section of cgctab-events is not that of a direct integration"
}

sections() {
    ${CC:-cc} -std=c11 -O2 -I"$bin/include" -o integrate "$top/tests/events/integrate.c" \
        "$bin/lib/libcgctab.a" -lm
    section u,d,s 0 proton-mve.cgct 27.5 920 2:50 0.05:0.95 0.1:0.9 1:25 1 0:1e3
    section u,d,s 0.14 proton-mve.cgct 18 275 4:20 0.3:0.9 0.3:0.5 1:5 2 0:1e3
    section u,d,s 0.14 mv.cgct 27.5 920 2:50 0.05:0.95 0.1:0.9 1:20 1.5 0:1e3
    section u,d,s 0.14 proton-mve.cgct 27.5 920 4:50 0.1:0.9 0.1:0.7 1:5 0 3:6
    section u,d,s 0.14 proton-mve.cgct 18 275 0:1 0.05:0.95 0.1:0.9 1:25 1 0:1e3
    section c 1.4 proton-mve.cgct 18 275 2:50 0.05:0.95 0.1:0.9 1:25 1 0:1e3
    section c 1.3 proton-mve.cgct 27.5 920 0:1 0.2:0.9 0.05:0.7 2:10 3 0:1e3
    section b 4.75 proton-mve.cgct 27.5 920 0:10 0.05:0.95 0.1:0.9 1:10 1 0:1e3
}

sections >sections.out 2>&1 & # beside the chains
sections=$!
install_wheels
chain hera "$EVENTS_N" '--K 3:8 --pt 2.5' "$top/tables/proton.cgct" --beams 27.5x920 --Q2 4:50 \
    --q 1:5 --K 2:12
chain eic 2000 '--pt 1.5' "$top/tables/proton-mve.cgct" --beams 18x275 --Q2 2:50 --pt 1.5
chain members 2000 '--pt 1.5' "$top/tests/golden/panels.cgct" --beams 18x275 --Q2 2:50 --q 1:5 \
    --pt 1.5
chain charm "$EVENTS_N" '' "$top/tables/proton-mve.cgct" --beams 18x275 --Q2 1:50 --flavours c \
    --m-c 1.3
chain beauty "$EVENTS_N" '' "$top/tables/proton-mve.cgct" --beams 27.5x920 --Q2 1:50 --flavours b
chain photons 2000 '--pt 1.5' "$top/tables/proton.cgct" --beams 18x275 --Q2 0:1 --pt 1.5 \
    --flavours u,d,s,c,b
chain upc 2000 '--pt 1.5' "$top/tables/proton-mve.cgct" --beams PbPb5.36 \
    --photon Pb,survival=woods-saxon,kt=form-factor --flavours c --pt 1.5
"$python" "$examples/upc.py" cms-d0 upc.hadrons.hepmc --flux upc.partons.lhe -o upc.png
PYTHONPATH=$examples "$python" "$top/tests/events/check.py" --upc
forward
twins
wait "$sections" || { cat sections.out && exit 1; }
cat sections.out
echo "check-events: passed"
