# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes golden_NAME.ref: exact values of the golden tables, from their closed forms.

Points lie inside, at nodes and at the ends, at k = 0 and k = q/2, with k1 or k2 the shorter.
Run: python3 make_reader_points.py
"""
import math
import pathlib
import random

import make_golden

HEAD = ("# python3 make_reader_points.py; closed forms of make_golden.py; columns: member x eps q "
        "k1 theta (GeV), sum_T sum_L (below 0 where it is), bound_T bound_L, I_ref,T I_ref,L "
        "(nan: not known), all GeV^-6\n")
COUNT = {"small": 20, "panels": 120, "negative": 60, "varied": 80}


def between(rng, low, high):
    return math.exp(rng.uniform(math.log(low), math.log(high)))


def point(table, rng, i):
    member = rng.randrange(len(table.names))
    x, eps = between(rng, *table.x_range), between(rng, *table.eps_range)
    q, theta = between(rng, table.q[0], table.q[-1]), rng.uniform(-math.pi, math.pi)
    k1 = between(rng, 0.01, table.k_max)
    kind = i % 10
    if kind == 1:
        x, eps = rng.choice(table.joined(table.x)), rng.choice(table.joined(table.eps))
    elif kind == 2:
        x, eps, q = table.x_range[i % 2], table.eps_range[i // 2 % 2], table.q[-(i // 4 % 2)]
    elif kind == 3:
        k1 = [0.0, q / 2, table.k_max][i // 10 % 3]
        theta = [0.0, 1.0, math.pi][i // 30 % 3] if k1 < table.k_max else math.pi
    elif kind == 4:
        k1, theta = q * rng.uniform(0.7, 1.3), rng.uniform(-0.5, 0.5)
    elif kind == 5:
        theta = rng.choice([0.0, math.pi, 7.5, -40.0])
    return member, x, eps, q, k1, theta


def main():
    folder = pathlib.Path(__file__).resolve().parent
    for name, table in make_golden.GOLDEN.items():
        table, rng, lines = table(), random.Random(22), [HEAD]
        for i in range(COUNT[name]):
            member, *p = point(table, rng, i)
            values = table.exact(*p, member) + table.exact_error(*p, member) + (
                table.exact_reference(*p, member))
            lines.append("%d %s\n" % (member, " ".join("%.17g" % v for v in p + values)))
        (folder / ("golden_%s.ref" % name)).write_text("".join(lines))


if __name__ == "__main__":
    main()
