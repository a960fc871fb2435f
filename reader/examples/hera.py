#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Reduced cross sections of dipoles beside those that H1 and ZEUS measured at x <= 0.01.

    pip install matplotlib numpy
    hera.py tables/proton.card tables/proton-mve.card -o hera.png
    hera.py bk:mvgamma
    hera.py dipole.dat -- --S-perp 36 --m-light 0

A dipole is a run card, of whose dipole.members each is taken, or what 'cgctab-generate f2 --dipole'
takes; what follows -- goes to that command.  It takes some ten seconds of a processor for each
dipole, and a third of that when the evolution is known from before.  A row for each dipole has the
mean of theory over data and chi^2 per point: of the inclusive cross section with u, d and s and
with all five flavours, of that of charm with the dipole at x and at x (1 + 4 m^2/Q2).  The errors
are the total ones of the files beside this program, all sources in quadrature without their
correlations; nothing is fitted.  Low and high are the 16th and 84th percentile of the members
behind the first one.  Below stands the first dipole with u, d and s, by Q2.

The picture shows the first dipole of each argument: data and theory, with the band of the members,
and below pulls, (theory - data)/error; of charm the ratio of theory to data.
"""
import argparse
import concurrent.futures
import os
import re
import subprocess
import sys

import numpy as np

import bands

HERE = os.path.dirname(os.path.abspath(__file__))
FLAVOURS = "udscb"


def measured(name):
    """Columns Q2, x, y, value and total error of a file beside this program."""
    Q2, x, y, value, percent = np.loadtxt(os.path.join(HERE, name), unpack=True)
    return {"Q2": Q2, "x": x, "y": y, "value": value, "error": value * percent / 100}


def dipoles_of(argument):
    """Name and options of cgctab-generate for each dipole, but for those for comparison."""
    if not argument.endswith(".card"):
        return [(argument, ["--dipole", argument])]
    card = os.path.basename(argument)[:-5]
    with open(argument, encoding="utf-8") as file:
        members = re.search(r"^\s*members\s*=\s*([^\s;]+)", file.read(), re.M)
    if not members:
        return [(card, ["--card", argument])]
    with open(members[1], encoding="utf-8") as file:
        words = [line.split() for line in file if line.strip() and line[0] != "#"]
    return [("%s@%s" % (card, w[0]), ["--card", argument, "--member", w[0]])
            for w in words if "comparison" not in w]


def f2(program, options, points, flavours):
    """Reduced cross section of each flavour at the points, by name."""
    text = "".join("%.17g %.17g %.17g\n" % p for p in zip(points["x"], points["Q2"], points["y"]))
    command = [program, "f2", *options, "--flavours", ",".join(flavours), "--points", "-"]
    try:
        done = subprocess.run(command, input=text, capture_output=True, text=True, check=False,
                              env={**os.environ, "OMP_NUM_THREADS": "1"})  # a dipole a processor
    except OSError as error:
        sys.exit("hera.py: %s; give --program" % error)
    if done.returncode:
        sys.exit("hera.py: %s" % done.stderr.strip())
    heading = [line for line in done.stdout.splitlines() if line.startswith("# x Q2")][0]
    rows = np.loadtxt(done.stdout.splitlines(), ndmin=2)
    return {f: rows[:, heading.split().index("sigma_r_" + f) - 1] for f in flavours}


def theory(program, options, inclusive, charm):
    """sigma_r of u, d and s and of all flavours; of charm, with the dipole at both x."""
    points = {k: np.concatenate([inclusive[k], charm[k]]) for k in ("x", "Q2", "y")}
    at_x = f2(program, options, points, FLAVOURS)
    shifted = f2(program, [*options, "--x-mass"], charm, "c")
    n = len(inclusive["x"])
    return {"uds": sum(at_x[f] for f in "uds")[:n], "udscb": sum(at_x.values())[:n],
            "charm": at_x["c"][n:], "charm, x shifted": shifted["c"]}


def pulls(value, data):
    return (value - data["value"]) / data["error"]


def compare(value, data, chosen=slice(None)):
    """Mean of theory over data and chi^2 per point."""
    return ((value / data["value"])[chosen].mean(), (pulls(value, data)[chosen]**2).mean())


def picture(path, groups, inclusive, charm):
    """groups: for each argument a list of (name, theory)."""
    from matplotlib.figure import Figure
    figure = Figure(figsize=(10, 7), layout="constrained")
    axes = figure.subplots(2, 2, sharex="col", height_ratios=(1.6, 1))
    for column, (data, what) in enumerate(((inclusive, "uds"), (charm, "charm"))):
        top, low = axes[:, column]
        for j, Q2 in enumerate((2, 6.5, 15, 27, 60) if what == "uds" else (5, 12, 18, 32, 60)):
            at = np.flatnonzero(data["Q2"] == Q2)
            at = at[np.argsort(data["x"][at])]
            top.errorbar(data["x"][at], data["value"][at], data["error"][at], fmt="o", ms=3,
                         color=f"C{j}", label=f"$Q^2 = {Q2:g}$ GeV$^2$")
            for style, members in zip(("-", "--", ":"), groups):
                top.plot(data["x"][at], members[0][1][what][at], style, color=f"C{j}", lw=1)
                spread = bands.band({"replica_" + name: of[what][at] for name, of in members[1:]})
                if spread is not None:
                    top.fill_between(data["x"][at], *spread, color=f"C{j}", alpha=0.25, lw=0)
        for i, members in enumerate(groups):
            name, of = members[0]
            style = {"fmt": "o" if i == 0 else "x", "ms": 3, "color": ("k", "C3", "C0")[i % 3]}
            if what == "uds":
                low.plot(data["x"], pulls(of[what], data), style.pop("fmt"), label=name, **style)
                continue
            for key, fill in (("charm", style["color"]), ("charm, x shifted", "none")):
                ratio = of[key] / data["value"]
                low.errorbar(data["x"], ratio, ratio * data["error"] / data["value"], mfc=fill,
                             label=name + key[5:], lw=0.5, **style)
        top.set(ylabel=r"$\sigma_r$" + (r"$^{c\bar c}$" if what == "charm" else ""), xscale="log",
                title="inclusive; u, d, s" if what == "uds" else "charm")
        top.legend(frameon=False, fontsize="small")
        low.axhline(1 if what == "charm" else 0, color="0.6", lw=0.8)
        low.set(xlabel="x", ylabel="theory/data" if what == "charm" else "(theory - data)/error")
        low.legend(frameon=False, fontsize="x-small", ncols=1 + (what == "charm"))
    figure.savefig(path, dpi=72)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dipoles", nargs="+", metavar="DIPOLE", help="CARD, gbw, mv:SET, FILE ...")
    parser.add_argument("-o", metavar="PICTURE")
    parser.add_argument("--members", type=int, metavar="N", help="the first ones of a card alone")
    parser.add_argument("--program", default="cgctab-generate")
    arguments = sys.argv[1:]
    end = arguments.index("--") if "--" in arguments else len(arguments)
    options, more = parser.parse_args(arguments[:end]), arguments[end + 1:]
    inclusive, charm = measured("hera_sigma_r.dat"), measured("hera_charm.dat")
    groups = [dipoles_of(argument)[:options.members] for argument in options.dipoles]
    print("sqrt(s) = 318 GeV, x <= 0.01, Q2 <= 60 GeV^2: %d points, %d of charm; "
          "theory/data and chi^2/point" % (len(inclusive["x"]), len(charm["x"])))
    print("| dipole | u, d, s | chi^2 | u, d, s, c, b | chi^2 | charm | chi^2 | charm at shifted x "
          "| chi^2 |\n|---|---|---|---|---|---|---|---|---|", flush=True)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        waiting = [[(name, pool.submit(theory, options.program, [*args, *more], inclusive, charm))
                    for name, args in group] for group in groups]
        for group in waiting:
            for i, (name, future) in enumerate(group):
                of = future.result()
                group[i] = name, of
                row = [compare(of[k], inclusive if k[0] == "u" else charm) for k in of]
                print("| %s | %s |" % (name, " | ".join("%.3f | %.2f" % r for r in row)),
                      flush=True)
            if len(group) > 2:
                every = [[compare(of[k], inclusive if k[0] == "u" else charm) for k in of]
                         for _, of in group[1:]]
                for name, row in zip(("low", "high"), np.percentile(every, [16, 84], axis=0)):
                    print("| %s of the other %d | %s |" % (
                        name, len(every), " | ".join("%.3f | %.2f" % tuple(r) for r in row)))
    first, of = waiting[0][0]
    print("\n| %s, Q2 (GeV^2) | points | theory/data | chi^2 | mean pull |\n|---|---|---|---|---|"
          % first)
    for low, high in ((1, 3), (3, 8), (8, 20), (20, 61)):
        at = (inclusive["Q2"] > low) & (inclusive["Q2"] < high)
        print("| %g to %g | %d | %.3f | %.2f | %+.2f |"
              % (inclusive["Q2"][at].min(), inclusive["Q2"][at].max(), at.sum(),
                 *compare(of["uds"], inclusive, at), pulls(of["uds"], inclusive)[at].mean()))
    if options.o:
        picture(options.o, waiting, inclusive, charm)


if __name__ == "__main__":
    try:
        main()
    except OSError as error:
        sys.exit("hera.py: %s" % error)
