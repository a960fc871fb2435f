#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""draw_proton.py: prints the members of proton.card, drawn from the moments of a published fit.

The fit is that of C. Casuga, M. Karhunen, H. Mantysaari, arXiv:2311.10491, with four parameters.
Its posterior is represented by a normal distribution of the logarithms of Qs0^2 (GeV^2), e_c, C^2
and sigma0/2 (mb), with the mean and covariance of the 1000 parameter vectors published with the
article.  A draw is repeated where a parameter leaves the range of 0.5 to 99.5% that its percentiles
suggest, or e_c exceeds 60.  The first member is the maximum a posteriori.
"""

import math
import random

SEED, MEMBERS = 231110491, 30
MEAN = [-2.783157, 3.475085, 1.610489, 2.649520]
COVARIANCE = [
    [0.008239, -0.037042, -0.001410, -0.000437],
    [-0.037042, 0.208442, -0.027668, -0.005730],
    [-0.001410, -0.027668, 0.033341, 0.006550],
    [-0.000437, -0.005730, 0.006550, 0.001509],
]
# 5%, 50% and 95% of each parameter; ln is taken to be linear in the normal quantile on either side.
PERCENTILES = [
    (0.0543, 0.0613, 0.0725),
    (13.46, 34.63, 57.88),
    (3.769, 4.952, 6.896),
    (13.29, 14.15, 15.12),
]
QUANTILES = 2.5758 / 1.6449  # of 99.5% over that of 95%
E_C_MOST = 60


def cholesky(a):
    """The lower triangle L with L L^T = a."""
    n = len(a)
    low = [[0.0] * n for _ in range(n)]
    for i in range(n):
        for j in range(i + 1):
            s = a[i][j] - sum(low[i][k] * low[j][k] for k in range(j))
            low[i][j] = math.sqrt(s) if i == j else s / low[j][j]
    return low


def allowed(p):
    """Whether the parameters p are within their ranges."""
    for value, (low, middle, high) in zip(p, PERCENTILES):
        least = middle * (low / middle) ** QUANTILES
        most = middle * (high / middle) ** QUANTILES
        if not least <= value <= most:
            return False
    return p[1] <= E_C_MOST


def main():
    """Writes the file of members."""
    rng = random.Random(SEED)
    low = cholesky(COVARIANCE)
    print("# SPDX-License-Identifier: GPL-3.0-or-later")
    print("# Members of proton.card, made by draw_proton.py: the maximum a posteriori of")
    print("# arXiv:2311.10491 with four parameters, "
          f"{MEMBERS} draws from its posterior (seed {SEED}),")
    print("# and the first member at large Nc.")
    print("map set=bayes4")
    n = 0
    while n < MEMBERS:
        z = [rng.gauss(0, 1) for _ in MEAN]
        p = [math.exp(m + sum(row[k] * z[k] for k in range(4))) for m, row in zip(MEAN, low)]
        if allowed(p):
            n += 1
            print("draw%02d set=bayes4 Qs0sq=%.5g ec=%.4g C2=%.4g half_sigma0=%.5g" % (n, *p))
    print("large-Nc set=bayes4 correlator.Nc=inf comparison")


main()
