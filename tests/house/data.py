# SPDX-License-Identifier: GPL-3.0-or-later
"""data.py hera|events BIN: the numbers of generator/DATA.md again, those of events at small
statistics; exit 77 where a package is missing."""
import os
import re
import subprocess
import sys
import tempfile

TOP = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
EXAMPLES = os.path.join(TOP, "reader", "examples")
NUMBER = re.compile(r"(-?[0-9.]+(?:e[-+]\d+)?) \+- ([0-9.]+(?:e[-+]\d+)?)")


def shell(command, folder=TOP):
    done = subprocess.run("set -e\n" + command, shell=True, cwd=folder, capture_output=True,
                          text=True, check=False)
    if done.returncode:
        sys.exit("%s\n%s" % (command, done.stderr))
    return done.stdout


def rows_of(text):
    """The cells behind the first two of each row of a table, by those."""
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines()
            if line.startswith("|")]
    return {tuple(row[:2]): row[2:] for row in rows}


def agree(what, one, other):
    """Two numbers with errors, which are both of events: within four of these."""
    (a, da), (b, db) = ([float(v) for v in NUMBER.search(text).groups()] for text in (one, other))
    print(what, one, other)
    assert abs(a - b) <= 4 * (da * da + db * db)**0.5 and da > 0, (what, one, other)


def commands(page, program):
    """The indented block of the page in which the program is called, one line."""
    blocks = re.findall(r"(?:^    .*\n)+", page, re.M)
    return [re.sub(r"^    ", "", b, flags=re.M) for b in blocks if program in b][0]


def check_hera(page):
    lines = shell(commands(page, "hera.py").replace("-o hera.png", "").replace(
        "python3", sys.executable)).splitlines()
    assert len([v for v in lines if v.startswith("| proton")]) > 32, lines
    for line in lines:
        assert not line.startswith("| ") or line in page.splitlines(), line


def check_charm(page, folder):
    """Reduced cross sections of f2 and of events at five points."""
    f2 = commands(page, "points.txt")
    printed = [shell(f2.rstrip() + more, folder).splitlines() for more in ("", " --x-mass")]
    place = [line for line in printed[0] if line.startswith("# x Q2")][0].split().index("sigma_r")
    columns = [[float(line.split()[place - 1]) for line in lines if line[0] != "#"]
               for lines in printed]
    events = [line.split() for line in shell(commands(page, "--dry-run"), folder).splitlines()]
    for at_x, shifted, (Q2, x, sigma, edge) in zip(*columns, events, strict=True):
        measured, *want = rows_of(page)[Q2, x]
        print(Q2, x, measured, at_x, shifted, sigma, edge, want)
        assert ["%.4f" % v for v in (at_x, shifted)] == want[:2], want
        assert abs(float(sigma) / float(want[2]) - 1) < 0.01, want
        assert abs(float(edge) - float(want[3])) < 0.01, want


def check_forward(page, folder):
    """The peaks of pairs behind gold, which the page has as a row of its table."""
    pdf, grids = "NNPDF31_lo_as_0118", os.path.join(sys.prefix, "share", "Pythia8", "pdfdata")
    os.mkdir(os.path.join(folder, pdf))
    os.symlink(os.path.join(grids, pdf + "_0000.dat"),
               os.path.join(folder, pdf, pdf + "_0000.dat"))
    lines = commands(page, "forward.py").splitlines()
    small = "\n".join([line.replace("200000", "40000") for line in lines
                       if line.startswith(("C=", "F="))] +
                      ["cgctab-events gold-pa $C -o gold.lhe",
                       sys.executable + " forward.py gold.lhe $F"])
    got = " ".join(shell("export LHAPDF_DATA_PATH=.\n" + small, folder).splitlines()[-2:])
    want = rows_of(page)["gold", "full"]
    for one, other in zip(NUMBER.findall(got), want[:6], strict=True):
        agree("gold", " +- ".join(one), other)


def check_kc(page, folder):
    """D* with two jets by both equations, at a tenth of the events; needs tables."""
    block = commands(page, "h1_dstar.py lo.lhe").replace("-n 80000", "-n 8000")
    got = rows_of(shell(block.replace("python3", sys.executable), folder))
    compared = 0
    for (Q2, what), row in got.items():
        want = rows_of(page).get(("lo, kc", "Q2 %s, %s" % (Q2, what)), [])
        for one, other in zip((row[1], row[3]), want):
            if not one.startswith("0 +-"):
                agree((Q2, what), one, other)
                compared += 1
    assert compared > 20, got


def check_phenix(page, folder):
    """Pairs behind the central class, at a fifth of the events."""
    block = commands(page, "phenix.py proton.lhe")
    block = re.sub(r"for b in [^;]*;", "for b in 3.476:0-20;", block).replace("200000", "40000")
    block = re.sub(r" 20-40=.*", "", block).replace("python3", sys.executable)
    got = rows_of(shell("export LHAPDF_DATA_PATH=.\n" + block, folder))
    got = {key: row for key, row in got.items() if key[0] == "0-20"}
    assert len(got) == 9, got
    for key, (x, measured, J) in got.items():
        want = rows_of(page)[key]
        assert [x, measured] == want[:2], (key, x, measured, want)
        agree(key, J, want[2])


def check_d0(page, folder):
    """D0 of photons on lead, by both fragmentations, at a quarter of the events."""
    small = re.sub(r"-n ([0-9]+)", lambda n: "-n %d" % (int(n[1]) // 4),
                   commands(page, "upc.py cms-d0"))
    lines = shell(small.replace("python3", sys.executable), folder).splitlines()
    lines = [line for line in lines if " measured " in line]
    assert len(lines) == 10, lines
    for i, line in enumerate(lines):
        pT, low, _, high, _, measured = line.replace(",", "").split()[:6]
        want = rows_of(page)[pT.replace(":", " to "), low + " to " + high]
        assert want[0].startswith(measured + " +-"), (line, want)
        agree((pT, low), line, want[1 + i // 5])


def check_events(page):
    try:
        import fastjet, matplotlib, pyhepmc, pylhe, pythia8mc  # noqa: F401, E401
    except ImportError as error:
        print("skipped: no %s" % error.name)
        sys.exit(77)
    with tempfile.TemporaryDirectory() as folder:
        shell("ln -s %s/*.py %s/*.dat %s/*.csv ." % (3 * (EXAMPLES,)), folder)
        small = re.sub(r"-n [0-9]+", "-n 4000", commands(page, "h1_dstar.py"))
        got = rows_of(shell(small.replace("python3", sys.executable), folder))
        want = rows_of(page)
        shared = [key for key in got if key in want and NUMBER.search(want[key][0])]
        assert len(shared) == 13, got.keys()
        for key in shared:
            assert got[key][0] == want[key][0], key  # measured
            for one, other in zip(got[key][1:4], want[key][1:4]):
                if not one.startswith("0 +-"):  # a bin without an entry
                    agree(key, one, other)
        check_charm(page, folder)
        check_forward(page, folder)
        os.symlink(os.path.join(TOP, "tables"), os.path.join(folder, "tables"))
        check_kc(page, folder)
        check_phenix(page, folder)
        check_d0(page, folder)
        small = commands(page, "eic.py").replace("-o eic.html", "-o eic.html -n 2000")
        for line in shell(small.replace("python3", sys.executable), folder).splitlines():
            if ": " in line and NUMBER.search(line):
                name = line.split(":")[0] + ":"
                agree(name, line, [v for v in page.splitlines() if v.strip().startswith(name)][0])


if __name__ == "__main__":
    os.environ["CGCTAB_DATA_PATH"] = os.path.join(TOP, "tables")
    os.environ["PATH"] = sys.argv[2] + ":" + os.environ["PATH"]
    with open(os.path.join(TOP, "generator", "DATA.md"), encoding="utf-8") as file:
        {"hera": check_hera, "events": check_events}[sys.argv[1]](file.read())
