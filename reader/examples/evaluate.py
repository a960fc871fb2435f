# SPDX-License-Identifier: MIT
"""evaluate.py FILE: prints a line of k1 at fixed x, eps, q, and one sampled event.

python3 evaluate.py FILE, after 'pip install' of the wheel (make wheel), or with
PYTHONPATH=$(cgctab-config --python)
"""
import random
import sys

import cgctab


def main():
    if len(sys.argv) != 2:
        sys.exit("usage: evaluate.py FILE")
    table = cgctab.Table(sys.argv[1])
    print("dipole:", table.meta["dipole"])
    k1 = [1 + 0.4 * i for i in range(1, 6)]  # or a NumPy array
    for k, (t, l) in zip(k1, table(0.005, 1.0, 1.5, k1, 1.0)):
        print("%6.2f %16.8e %16.8e" % (k, t, l))
    sampler = table.slice(0.005, 1.0).sampler(1.0, 1.0)
    event = sampler(random.Random(1).random)
    print("total %.4e, an event: q %.3f k1 %.3f theta %.3f weight %.3f"
          % (sampler.total, event.q, event.k1, event.theta, event.weight))


if __name__ == "__main__":
    main()
