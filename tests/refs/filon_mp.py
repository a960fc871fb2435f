# SPDX-License-Identifier: GPL-3.0-or-later
"""Bessel moments to 40 digits, two independent ways; shared by make_filon.py.

antiderivative(mu, m, X) = int_0^X t^mu J_m(t) dt
    = X^(mu+m+1) / (2^m (mu+m+1) m!) 1F2((mu+m+1)/2; (mu+m+3)/2, m+1; -X^2/4)
moment_contour: the same differences by quadrature along X + i y with the Hankel function."""
import mpmath as mp
from functools import lru_cache


@lru_cache(maxsize=None)
def antiderivative(mu, m, X, dps):
    with mp.workdps(dps + 15):
        if X == 0:
            return mp.mpf(0)
        s = mp.mpf(mu + m + 1)
        f = mp.hyp1f2(s / 2, s / 2 + 1, m + 1, -X * X / 4, maxterms=10**6, maxprec=10**6)
        return mp.exp(s * mp.log(X) - m * mp.log(2) - mp.loggamma(m + 1)) / s * f


def moment(x, h, q, m, r, dps=40):
    """int_0^h u^r J_m(q(x+u)) du for doubles x, h, q"""
    lost = 0 if x == 0 else max(0, int((r + 1) * mp.log10(1 + mp.mpf(x) / mp.mpf(h)))) + 5
    with mp.workdps(dps + lost):
        x, h, q = mp.mpf(x), mp.mpf(h), mp.mpf(q)
        a, b, total = q * x, q * (x + h), mp.mpf(0)
        for k in range(r + 1):
            if x == 0 and k < r:
                continue
            d = antiderivative(k, m, b, dps + lost) - antiderivative(k, m, a, dps + lost)
            total += mp.binomial(r, k) * (-a) ** (r - k) * d
        return total / q ** (r + 1)


def moment_contour(x, h, q, m, r, dps=40):
    with mp.workdps(dps):
        x, h, q = mp.mpf(x), mp.mpf(h), mp.mpf(q)

        def leg(u0):
            f = lambda t: (u0 + 1j * t / q) ** r * mp.hankel1(m, q * (x + u0) + 1j * t)
            return mp.quad(f, [0, 1, 3, 8, 20, 50, 120]) * 1j / q

        return mp.re(leg(mp.mpf(0)) - leg(h))


def moment_quad(x, h, q, m, r, dps=30):
    """plain quadrature, q h up to some hundred"""
    with mp.workdps(dps):
        x, h, q = mp.mpf(x), mp.mpf(h), mp.mpf(q)
        n = int(q * h / 3) + 2
        f = lambda u: u**r * mp.besselj(m, q * (x + u))
        return mp.quad(f, [h * i / n for i in range(n + 1)])
