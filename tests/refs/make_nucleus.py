# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes nucleus.ref: the thickness of Woods-Saxon nuclei in the optical Glauber model,

    T_A(b) = 2 Int_0^oo dz n/(1 + exp[(sqrt(b^2 + z^2) - R)/d]),   Int d2b T_A(b) = 1,
    R = 1.12 A^(1/3) - 0.86 A^(-1/3) fm,  d = 0.54 fm,  1/n = -8 pi d^3 Li_3(-exp(R/d)).

At b = 0 the integral is 2 n d ln(1 + exp(R/d)), which is asserted; so is, for A = 197, that
T_A(b) integrates to 1 over the plane of b.

nucleus_disc.ref: with t(b) = A T_A(b) sigma0/2 and the edge b0 where t = 1, the integrals
    disc = Int_{b < b0} d2b (1 - exp[-kappa t(b)]),    beyond = Int_{b > b0} d2b T_A(b).
Run: python3 make_nucleus.py
"""
import functools

import mpmath
from mpmath import mp, mpf, cbrt, exp, log, pi, polylog, quad, sqrt

mp.dps = 30
D = mpf("0.54")
BREAKS = [0, mpf("0.01"), mpf("0.1"), mpf("0.5")] + list(range(1, 33)) + list(range(36, 120, 4))


def radius(A):
    return mpf("1.12") * cbrt(A) - mpf("0.86") / cbrt(A)


def density(A):
    return -1 / (8 * pi * D**3 * polylog(3, -exp(radius(A) / D))).real


@functools.lru_cache(None)
def thickness(A, b):
    n, R = density(A), radius(A)
    return 2 * n * quad(lambda z: 1 / (1 + exp((sqrt(b * b + z * z) - R) / D)), BREAKS)


def main():
    with open("nucleus.ref", "w") as f:
        f.write(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_nucleus.py; "
                "columns A b/fm T_A(b) in 1/fm^2\n")
        for A in (4, 16, 63, 197, 208):
            for b in ("0", "0.05", "1", "3", "6.5", "9", "20", "50"):
                t = thickness(mpf(A), mpf(b))
                if b == "0":
                    R = radius(mpf(A))
                    assert abs(t / (2 * density(mpf(A)) * D * log(1 + exp(R / D))) - 1) < 1e-20
                f.write(f"{A} {b} {mp.nstr(t, 18)}\n")
    mp.dps = 16
    thickness.cache_clear()
    with open("nucleus_disc.ref", "w") as f:
        f.write(f"# mpmath {mpmath.__version__}, {mp.dps} digits; python3 make_nucleus.py; "
                "columns A sigma0/2/mb kappa b0/fm disc/fm^2 beyond\n")
        for A, sigma in ((39, "16.36"), (197, "16.36"), (208, "13.92")):
            write_disc(f, mpf(A), mpf(sigma))


def write_disc(f, A, sigma):
    def area(g, edges):
        return quad(lambda b: 2 * pi * b * g(thickness(A, b)), edges, method="gauss-legendre",
                    maxdegree=4)
    t = A * sigma / 10
    edge = mpmath.findroot(lambda b: log(t * thickness(A, b)), (1, 12), solver="anderson")
    inside = [edge * k / 8 for k in range(9)]
    beyond = area(lambda T: T, [edge, edge + 1, edge + 2, edge + 4, edge + 8, edge + 16])
    assert abs(area(lambda T: T, inside) + beyond - 1) < 1e-12
    for kappa in ("0.1", "1", "4"):
        k = mpf(kappa) * t
        disc = area(lambda T: 1 - exp(-k * T), inside)
        f.write(f"{int(A)} {mp.nstr(sigma, 6)} {kappa} {mp.nstr(edge, 13)} {mp.nstr(disc, 13)} "
                f"{mp.nstr(beyond, 13)}\n")
        f.flush()


main()
