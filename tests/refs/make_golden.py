# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/*.cgct from format/FORMAT.md alone, and knows their exact values.

    python3 make_golden.py                 the golden files
    python3 make_golden.py --large FILE    a table of the size that is used in practice

A second implementation of the container: nothing here is taken from format/*.c.  The fields of the
golden files are polynomials in the variables of the interpolation, of a degree that the orders of
the
file reproduce, so that Golden.exact needs no interpolation at all.

small     one segment and one coefficient: the worked example of FORMAT.md
panels    2 x 2 segments, 3 members, every order of differences, every kind of code
negative  the sum over the coefficients falls below 0 at some angles
varied    2 panels in eps, 4 members as combinations of 2 variations at nodes of their own
"""
import itertools
import math
import pathlib
import struct
import sys

WORD = 2**32


def crc64(data, table=[]):
    """CRC-64/XZ."""
    if not table:
        for i in range(256):
            for _ in range(8):
                i = (i >> 1) ^ (0xC96C5795D7870F42 if i & 1 else 0)
            table.append(i)
    c = 2**64 - 1
    for byte in data:
        c = (c >> 8) ^ table[(c ^ byte) & 255]
    return c ^ (2**64 - 1)


def padded(data):
    return data + bytes(-len(data) % 8)


def chunk(name, content):
    body = padded(name + struct.pack("<IQ", 0, len(content)) + content)
    return body + struct.pack("<Q", crc64(body))


def doubles(values):
    values = list(values)
    return struct.pack("<%dd" % len(values), *values)


# ---- the bits of V ----

class Bits:
    def __init__(self):
        self.done, self.rest, self.n = bytearray(), 0, 0

    def put(self, value, n):
        self.rest |= value << self.n
        self.n += n
        while self.n >= 8:
            self.done.append(self.rest & 255)
            self.rest >>= 8
            self.n -= 8

    def bytes(self):
        return bytes(self.done) + bytes([self.rest] if self.n else [])

    def code(self, z, b):
        g = z >> b
        if g > 23:
            self.put(2**24 - 1, 24)
            self.put(z, 32)
        else:
            self.put(2**g - 1, g + 1)
            self.put(z & (2**b - 1), b)


    def ones(self, n):
        self.put(2**n - 1, n + 1)


def cost(run, b):
    return sum(56 if z >> b > 23 else (z >> b) + 1 + b for z in run)


def folded(v):
    return 2 * v if v >= 0 else -2 * v - 1


def differences(rows, inside, c, d):
    """Of the integers inside, c times along v after d times along q, modulo 2^32."""
    last, out = [[0] * len(rows[0]) for _ in range(d)], []
    for row, columns in zip(rows, inside):
        line = []
        for j in columns:
            v = row[j]
            for sums in reversed(last):
                sums[j], v = v, v - sums[j]
            line.append(v)
        for _ in range(c):
            line = line[:1] + [b - a for a, b in zip(line, line[1:])]
        out.append([(v + WORD // 2) % WORD - WORD // 2 for v in line])
    return out


def put_plane(bits, rows, inside, c, d, skew):
    """inside: the columns of each row that have codes.  skew: a number added to the best b, which
    makes escapes (below 0) or waste (above)."""
    if not any(inside):
        return
    if not any(map(any, rows)):
        bits.put(0, 1)
        return
    bits.put(1, 1)
    bits.put(c, 2)
    bits.put(d, 2)
    kinds = [0] * len(rows[0])
    for row in differences(rows, inside, c, d):
        for at in range(0, len(row), 8):
            run = [folded(v) for v in row[at:at + 8]]
            kind = 0
            if any(run):
                best = min(range(25), key=lambda b: cost(run, b))
                kind = min(max(best + skew, 0), 24) + 1
            bits.ones(folded(kind - kinds[at]))
            kinds[at] = kind
            for z in run if kind else []:
                bits.code(z, kind - 1)


# ---- a table ----

def lobatto(lo, hi, n):
    """n Chebyshev-Lobatto nodes of ln v."""
    a, b = math.log(lo), math.log(hi)
    nodes = [math.exp((a + b) / 2 - (b - a) / 2 * math.cos(math.pi * i / (n - 1)))
             for i in range(n)]
    return [lo, *nodes[1:-1], hi]


def binomial(n, d):
    """n (n-1) ... (n-d+1)/d! for real n."""
    return math.prod(n - i for i in range(d)) / math.factorial(d)


class Golden:
    """Everything that a file holds.  Subclasses give panels, sizes and the functions below:
    U(member, x, eps) -> [R numbers], lower(pol, m, r), upper(pol, m, r) -> [(coefficient, a, b)]
    for Sum coefficient C(n,a) C(j,b), where q = q0 2^(n/2) and j = v (nodes - 1); upper is what is
    added there to the lower patch's value at its end, which makes the fields continuous."""
    names = [""]
    shared = 0  # how many of the last members have the bounds of the member before them
    meta = []
    step = 2.0**-12
    x_from = 0.0
    dx, deps, mix = [], [], []  # nodes of variations; C of the members behind the first

    def __init__(self):
        self.nx = sum(map(len, self.x)) - len(self.x) + 1
        self.neps = sum(map(len, self.eps)) - len(self.eps) + 1
        self.q = [self.q0 * 2 ** (n / 2) for n in self.n]

    @staticmethod
    def joined(panels):
        return panels[0] + [v for p in panels[1:] for v in p[1:]]

    def V(self, pol, m, patch, r, n, j):
        def total(terms, j):
            return sum(c * binomial(n, a) * binomial(j, b) for c, a, b in terms)
        if patch == 0:
            return total(self.lower(pol, m, r), j)
        return total(self.lower(pol, m, r), self.nl - 1) + total(self.upper(pol, m, r), j)

    def segment_V(self, segment, pol, m, patch, n, j):
        return [self.V(pol, m, patch, r, n, j) for r in range(self.R)]

    def segment_U(self, segment, member, x, eps):
        return self.U(member, x, eps)

    def orders(self, pol, m, patch, r):
        """Differences along v and q, and how far b lies from the best."""
        return 1, 1, 0

    def planes(self, index):
        """{(pol, m, patch, r): rows of integers}"""
        out = {}
        for pol, m, patch in itertools.product(range(2), range(self.nm), range(2)):
            nk = self.nu if patch else self.nl
            v = [[self.segment_V(index, pol, m, patch, n, j) for j in range(nk)] for n in self.n]
            for r in range(len(v[0][0])):
                out[pol, m, patch, r] = [[round(p[r]) for p in row] for row in v]
        return out

    def ends(self, V, pol, c, patch, counts):
        """1 + the last m where an integer of the group counts, 0 where none does, at each point."""
        rows = range(len(self.n)), range(self.nu if patch else self.nl)
        return [[max(m + 1 if any(counts(V[pol, m, patch, r][i][j]) for r in range(c, c + 4)
                                  if (pol, m, patch, r) in V) else 0 for m in range(self.nm))
                 for j in rows[1]] for i in rows[0]]

    def segment(self, index, out):
        """From the numbers U of its nodes, (member, x, eps) or (variation, x, eps)."""
        R, bits = len(out[0]), Bits()
        V = self.planes(index)
        groups = [(pol, c, patch) for pol in range(2) for c in range(0, R, 4) for patch in range(2)]
        ends = {g: self.ends(V, *g, lambda v: v != 0) for g in groups}
        for g in groups:
            for rows in ends[g], self.ends(V, *g, lambda v: not -2**15 <= v < 2**15):
                put_plane(bits, rows, [range(len(row)) for row in rows], 1, 0, 0)
        for pol, c, patch in groups:
            for m in range(self.nm):
                inside = [[j for j, e in enumerate(row) if e > m] for row in ends[pol, c, patch]]
                for r in range(c, min(c + 4, R)):
                    put_plane(bits, V[pol, m, patch, r], inside, *self.orders(pol, m, patch, r))
        data = bits.bytes()
        return struct.pack("<2Id", R, len(data), self.step) + doubles(
            u for row in out for u in row) + padded(data)

    def head(self):
        return struct.pack(
            "<18I2d24s2Id", 3, len(self.names), len(self.x), len(self.eps), self.nx, self.neps,
            len(self.q), self.nl, self.nu, self.nm, *self.order, *self.blocks, self.shared, self.k0,
            self.k_max, b"golden 2.0", len(self.dx), len(self.deps), self.x_from)

    def metadata(self):
        escape = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
        return "".join(k + "\t" + "".join(escape.get(c, c) for c in v) + "\n"
                       for k, v in self.meta).encode()

    def axes(self):
        counts = [len(p) for p in self.x + self.eps]
        return doubles([*self.x_range, *self.joined(self.x), *self.eps_range,
                        *self.joined(self.eps), *self.q, *self.dx, *self.deps]) + padded(
                            struct.pack("<%dI" % len(counts), *counts))

    def bounds(self):
        bq, bl, bu = self.blocks
        return padded(bytes(self.code(*at) for at in itertools.product(
            range(len(self.names) - self.shared), range(self.nx), range(self.neps), range(2),
            range(bq), range(bl + bu))))

    def variations(self):
        return struct.pack("<2I", len(self.mix[0]), 0) + doubles(c for row in self.mix for c in row)

    def tensors(self):
        return doubles(v for j in range(len(self.names)) for x in self.joined(self.x)
                       for q in self.q for v in self.tensor(j, x, q))

    def write(self, path):
        out = b"\x89CGCT\r\n\x1a" + struct.pack("<2HI", 2, 0, 0)
        out += chunk(b"HEAD", self.head()) + chunk(b"META", self.metadata())
        out += chunk(b"AXES", self.axes())
        if self.mix:
            out += chunk(b"VARY", self.variations())
        out += chunk(b"TENS", self.tensors())
        members = range(1 if self.mix else len(self.names))
        panels = list(itertools.product(self.x, self.eps))
        for i, (xs, epss) in enumerate(panels):
            U = [self.segment_U(i, j, x, e) for j in members for x in xs for e in epss]
            out += chunk(b"SEGM", self.segment(i, U))
        if self.mix:
            U = [self.varied_U(p, x, e) for p in range(len(self.mix[0])) for x in self.dx
                 for e in self.deps]
            out += chunk(b"SEGM", self.segment(len(panels), U))
        out += chunk(b"ERRS", self.bounds()) + chunk(b"TEND", b"")
        pathlib.Path(path).write_bytes(out)

    # ---- exact values ----

    def place(self, q, k1, theta):
        """(patch, v, t)"""
        along = q - k1 * math.cos(theta)
        k2 = math.hypot(along, k1 * math.sin(theta))
        k = min(k1, k2)
        mu = (math.cos(theta) if k1 <= k2 else along / k2) if k > 0 else 1.0
        mu = min(max(mu, -1.0), 1.0)
        if k <= q / 2:
            B = math.asinh(q / (2 * self.k0)) / 2
            return 0, (1 + math.atanh((4 * k / q - 1) * math.tanh(B)) / B) / 2, mu
        c, C = math.sqrt(k * k - q * q / 4), (self.k_max**4 + (q / 2) ** 4) ** 0.5 - q * q / 4
        t = 2 * (1 + mu) / (1 + q / (2 * k)) - 1
        v = math.asinh(c / self.k0) / math.asinh(math.sqrt(C) / self.k0)
        return 1, v, min(max(t, -1.0), 1.0)

    def field(self, pol, m, member, x, eps, q, patch, v):
        n = 2 * math.log2(q / self.q0)
        j = v * ((self.nu if patch else self.nl) - 1)
        return self.step * math.fsum(
            u * self.V(pol, m, patch, r, n, j) for r, u in enumerate(self.U(member, x, eps)))

    def exact(self, x, eps, q, k1, theta, member=0):
        """(I_T, I_L), negative where the sum is."""
        patch, v, t = self.place(q, k1, theta)
        out = []
        for pol in range(2):
            f = [self.field(pol, m, member, x, eps, q, patch, v) for m in range(self.nm)]
            angle = math.acos(t)
            out.append(math.exp(f[0]) * math.fsum(
                [1.0] + [f[m] * math.cos(m * angle) for m in range(1, self.nm)]))
        return out

    def exact_error(self, x, eps, q, k1, theta, member=0):
        """The bound on the error, (T, L)."""
        def cell(nodes, value):
            return max(i for i, v in enumerate(nodes[:-1]) if i == 0 or v <= value)

        def around(panels, value):
            first = 0
            for nodes in panels:
                if len(nodes) == 1:
                    return [0]
                if value <= nodes[-1] or nodes is panels[-1]:
                    return [first + cell(nodes, value) + i for i in range(2)]
                first += len(nodes) - 1
        patch, v, _ = self.place(q, k1, theta)
        nv = self.nu if patch else self.nl
        block = cell(range(nv), v * (nv - 1)) * self.blocks[1 + patch] // (nv - 1)
        row = cell(self.q, q) * self.blocks[0] // (len(self.q) - 1)
        bounds = min(member, len(self.names) - self.shared - 1)
        out, value = [], self.exact(x, eps, q, k1, theta, member)
        for pol in range(2):
            code = max(self.code(bounds, i, j, pol, row, block + patch * self.blocks[1])
                       for i in around(self.x, x) for j in around(self.eps, eps))
            e = math.exp(self.field(pol, 0, member, x, eps, q, patch, v))
            out.append(2 ** ((code - 200) / 4) * (2 * abs(value[pol]) + e) / 3 if code else 0.0)
        return out

    def known(self, q):
        return True

    def exact_reference(self, x, eps, q, k1, theta, member=0):
        """The correlation limit, (T, L); nan where it is not known."""
        if not self.known(q):
            return [math.nan, math.nan]
        ln_g, h = self.tensor(member, x, q)
        # K + s q = (a tan t, perp): psi_L = cos^2 t/a^2
        perp, along = k1 * math.sin(theta), k1 * math.cos(theta)
        a = math.hypot(perp, eps)
        one, two = math.atan(along / a), math.atan((along - q) / a)
        turned, waves = one - two, (math.sin(2 * one) - math.sin(2 * two)) / 2
        par_L = (math.cos(one)**2 - math.cos(two)**2) / (a * a * q)
        par_T = waves / (a * q)
        across = (turned + waves) / (2 * q * a**3)
        across_T = turned / (q * a) - 2 * perp * perp * across
        unit = 2 * math.pi**2 * math.exp(ln_g)
        plus, minus, mixed = unit * (1 + h), unit * (1 - h), (perp * par_L)**2
        return [(plus * (par_T**2 + mixed) + minus * (across_T**2 + mixed)) / eps**2,
                plus * par_L**2 + minus * (2 * perp * across)**2]


META = [("quantity", "I_T, I_L in GeV^-6"), ("generator", "golden 2.0"),
        ("dipole", "polynomials"), ("backend", "none"), ("card", "[axes]\nq = 1,2\n")]


class Small(Golden):
    x, eps, x_range, eps_range = [[0.01]], [[1.0, 2.0]], [0.001, 0.01], [1.0, 2.0]
    q0, n, nl, nu, nm, R = 1.0, [0, 2], 2, 2, 2, 1
    order, blocks, k0, k_max, step = [2, 2, 2, 2], [1, 1, 1], 1.0, 4.0, 0.25
    meta = META[:1] + [("uncertainty", "none")]

    def U(self, member, x, eps):
        return [1 + math.log2(eps)]

    def lower(self, pol, m, r):
        return [[(-2 - pol, 0, 0), (-1, 1, 0), (-1, 0, 1)], [(1, 0, 1)]][m]

    def upper(self, pol, m, r):
        return [[(-9, 0, 1)], [(-1, 0, 1)] if pol == 0 else []][m]

    def code(self, member, ix, ieps, pol, bq, b):
        return 160 + ieps + 2 * pol + 4 * b

    def tensor(self, member, x, q):
        return -1 - math.log2(q), 0.5


class Panels(Golden):
    x = [lobatto(1e-4, 1e-3, 5), lobatto(1e-3, 1e-2, 4)]
    eps = [lobatto(0.1, 1.0, 7), lobatto(1.0, 8.0, 5)]
    x_range, eps_range = [1e-4, 1e-2], [0.1, 8.0]
    q0, n, nl, nu, nm, R = 0.5, [0, 1, 2, 4, 5, 6, 8, 10, 11], 9, 8, 12, 5
    order, blocks, k0, k_max = [32, 6, 4, 6], [3, 4, 2], 0.25, 30.0
    names = ["central", "up", "down"]
    shared = 1
    meta = META + [("members", "central up down"), ("uncertainty", "hessian"),
                   ("S_perp", "70.5"), ("S_perp.up", "71.25")]

    def U(self, member, x, eps):
        y, e = math.log(x / 1e-3), math.log(eps)
        shift = [1.0, 1.25, 0.5][member]
        return [1 + 0.03 * y - 0.01 * e, shift * (0.5 + 0.1 * y + 0.02 * y**3 + 0.1 * e**2),
                0.3 - 0.02 * e**4 + 0.05 * y * e, shift * (0.2 * e**3 + 0.1 * y * y),
                (1 + 0.2 * y) * 1e-6]

    def lower(self, pol, m, r):
        if m == 0:
            return [[(-8000 - 700 * pol, 0, 0), (-900, 1, 0), (7, 3, 0), (-300, 0, 1), (-11, 1, 2)],
                    [(400, 0, 0), (20, 1, 1), (-3, 2, 3)], [(100 + 50 * pol, 0, 0), (-9, 1, 0)],
                    [(-2, 0, 5)] if pol else [],
                    [(20000000, 0, 0), (1500000, 2, 1), (-700000, 0, 5)]][r]
        size = 600 >> m
        if r > 2 and m > 1 or not size:
            return [(1, 0, 1)] if (pol, m, r) == (1, 11, 0) else []
        return [[((-1) ** pol * size // 2, 0, 1), (-size // 40, 0, 2)],
                [(size // 8, 0, 1), (size // 128, 1, 1)], [(-size // 32, 0, 3)],
                [(3, 0, 2)], [(1000000, 0, 4)]][r]

    def upper(self, pol, m, r):
        if m == 0:
            return [[(-3000, 0, 1), (20, 1, 1), (2, 0, 5)], [(30, 0, 2)], [], [(5, 3, 1)],
                    [(-900000, 0, 3)]][r]
        size = 600 >> m
        return [(-size // (40 * (r + 1)), 0, 1)] if r < 3 and size else []

    def orders(self, pol, m, patch, r):
        if (m, r) == (0, 4):
            return 3, 3, 0
        return (m + r) % 4, (m + patch + r // 2) % 4, -4 if m == 1 and r == 1 else 2 * (m == 2)

    # Segment 2 has the rows of U and V in another order, segment 1 the first of them in two parts.
    def segment_V(self, segment, pol, m, patch, n, j):
        v = super().segment_V(segment, pol, m, patch, n, j)
        if segment == 1:
            return [v[0] // 2, v[0] - v[0] // 2, *v[1:]]
        return v[::-1] if segment == 2 else v

    def segment_U(self, segment, member, x, eps):
        u = self.U(member, x, eps)
        return [u[0], *u] if segment == 1 else u[::-1] if segment == 2 else u

    def code(self, member, ix, ieps, pol, bq, b):
        if (ix, bq, b) == (3, 1, 2):
            return 0
        return 130 + 7 * member + 3 * (ix * 5 % 8) + ieps * 3 % 11 + 5 * pol + 2 * bq + b

    def tensor(self, member, x, q):
        y, s = math.log(x / 1e-3), math.log(q)
        return (1 + 0.1 * member - 0.3 * y + 0.02 * y**3 - 1.5 * s - 0.1 * s**2 + 0.01 * s**3,
                0.5 + 0.02 * y + 0.05 * s + 0.01 * y * s)


class Negative(Golden):
    x, eps, x_range, eps_range = [[1e-3, 1e-2]], [[0.5]], [1e-3, 1e-2], [0.25, 1.0]
    q0, n, nl, nu, nm, R = 1.0, [0, 1, 2, 3], 4, 4, 3, 1
    order, blocks, k0, k_max = [2, 2, 2, 4], [1, 1, 1], 0.5, 8.0
    x_from = 0.02
    meta = META

    def U(self, member, x, eps):
        w = [math.log(math.log(self.x_from / v)) for v in (*self.x_range, x)]
        return [1 + 0.1 * (w[0] - w[2]) / (w[0] - w[1])]

    def lower(self, pol, m, r):
        return [[(-4096, 0, 0), (-500, 1, 0), (-700, 0, 1)], [(1500, 0, 1), (-60, 1, 1)],
                [(-700, 0, 1)] if pol else []][m]

    def upper(self, pol, m, r):
        return [[(-9000, 0, 1)], [(200, 0, 2)], []][m]

    def code(self, member, ix, ieps, pol, bq, b):
        return 202

    def tensor(self, member, x, q):
        return -math.log(q) if self.known(q - 1e-9) else -800.0, 0.25

    def known(self, q):
        return q < self.q[2]


class Varied(Negative):
    """U of the first member is of second degree in eps, that of variations of fifth in x and eps,
    but for the first and the last node in each, which polynomials through six nodes do not need.
    The two rows of V come back to front in the segment of the variations, the first of them in two
    parts."""
    eps, eps_range, x_range = [[0.25, 0.4, 0.5], [0.5, 0.8, 1.0]], [0.25, 1.0], [1e-3, 1e-2]
    order, blocks, R, shared = [2, 3, 2, 4], [1, 2, 1], 2, 2
    dx = [2e-4, 3e-4, 5e-4, 9e-4, 2e-3, 3e-3, 6e-3, 1.1e-2, 1.2e-2, 1.4e-2, 1.7e-2]
    deps = [0.05, 0.09, 0.14, 0.2, 0.3, 0.45, 0.7, 1.1, 1.3, 1.6, 2.0]
    mix = [[1, 0], [-0.5, 1], [0.25, 2]]
    names = ["first", "second", "third", "fourth"]
    meta = META + [("members", "first second third fourth"), ("comparison", "third"),
                   ("uncertainty", "none")]

    def E(self, p, x, eps):
        w, e = math.log(math.log(self.x_from / x)), math.log(eps)
        return [0.05 * (p + 1) * (1 + w * w * e**3 + 0.02 * (w * e) ** 5),
                [0.3, -0.2][p] * (w - e * e)]

    def varied_U(self, p, x, eps):
        first, second = self.E(p, x, eps)
        if x in (self.dx[0], self.dx[-1]) or eps in (self.deps[0], self.deps[-1]):
            first, second = 7.0, -9.0
        return [second, first / 4, 3 * first / 4]

    def segment_V(self, segment, pol, m, patch, n, j):
        v = super().segment_V(segment, pol, m, patch, n, j)
        return [v[1], v[0], v[0]] if segment == 2 else v

    def orders(self, pol, m, patch, r):
        return 1, 1, r % 2

    def U(self, member, x, eps):
        e = math.log(eps)
        u = [super().U(0, x, eps)[0] + 0.1 * e * e, 1 - 0.5 * e]
        for p in range(2):
            c = self.mix[member - 1][p] if member else 0
            u = [a + c * b for a, b in zip(u, self.E(p, x, eps))]
        return u

    def lower(self, pol, m, r):
        return super().lower(pol, m, r) if r == 0 else [(90 + 20 * pol, 0, 1), (10, 1, 1)]

    def upper(self, pol, m, r):
        return super().upper(pol, m, r) if r == 0 else [(-20, 0, 1)]

    def code(self, member, ix, ieps, pol, bq, b):
        return 150 + 3 * member + 2 * ieps + pol + b

    def known(self, q):
        return True


class Large(Golden):
    """As a table of an evolved dipole: about 8 coefficients of a point, all of them at k > q/2."""
    x, x_range = [lobatto(1e-4, 1e-2, 9)], [1e-4, 1e-2]
    eps = [lobatto(0.05, 0.5, 8), lobatto(0.5, 5.0, 9), lobatto(5.0, 50.0, 7)]
    eps_range = [0.05, 50.0]
    q0, n, nl, nu, nm, R = 0.25, [i / 4 for i in range(64)], 40, 24, 32, 16
    order, blocks, k0, k_max, step = [32, 32, 4, 4], [4, 4, 4], 0.2, 60.0, 2.0**-16
    names = ["central"]
    meta = META

    def U(self, member, x, eps):
        y, e = math.log(x / 1e-3), math.log(eps)
        return [1.0] + [math.cos(r + 0.3 * r * y / 2) * math.cos(0.2 * r * e) * 0.5**r
                        for r in range(1, self.R)]

    def V(self, pol, m, patch, r, n, j):
        q = self.q0 * 2 ** (n / 2)
        if patch:
            C = math.sqrt((self.k_max**4 + (q / 2) ** 4) ** 0.5 - q * q / 4)
            k = math.hypot(
                q / 2, self.k0 * math.sinh(j / (self.nu - 1) * math.asinh(C / self.k0)))
        else:
            B = math.asinh(q / 2 / self.k0) / 2
            k = q / 4 * (1 + math.tanh((2 * j / (self.nl - 1) - 1) * B) / math.tanh(B))
        ripple = math.sin(0.7 * r * math.log(k + 0.3) + r) * math.cos(0.5 * r * math.log(q) + pol)
        if m == 0:
            shape = -2 * math.log(1 + q * q) - math.log(1 + k * k) * (3 if patch else 1) + (
                math.log(1 + q * q / 4) * 2 if patch else 0)
            return (shape - pol if r == 0 else 0.3 * ripple) / self.step
        base = min(k / (k + 0.4), 0.5) if not patch else 0.5 * (q / (2 * k)) ** 0.1
        size = 0.5 * base**m * (0.5 ** (0.5 * r * m) if r else 1)
        return size * (1 + 0.3 * ripple) * (-1) ** (m * pol) / self.step

    def segment_V(self, segment, pol, m, patch, n, j):
        return [v if abs(v) > 0.5 else 0 for v in super().segment_V(segment, pol, m, patch, n, j)]

    def orders(self, pol, m, patch, r):
        return (2, 2, 0) if m < 2 and r < 3 else (1, 1, 0)

    def code(self, member, ix, ieps, pol, bq, b):
        return 140

    def tensor(self, member, x, q):
        return -math.log(1 + q * q) - 0.3 * math.log(x), q * q / (1 + q * q)


GOLDEN = {"small": Small, "panels": Panels, "negative": Negative, "varied": Varied}


def main():
    assert crc64(b"123456789") == 0x995DC9BBDF1939FA
    if len(sys.argv) == 3 and sys.argv[1] == "--large":
        Large().write(sys.argv[2])
        return
    folder = pathlib.Path(__file__).resolve().parent.parent / "golden"
    folder.mkdir(exist_ok=True)
    for name, table in GOLDEN.items():
        table().write(folder / (name + ".cgct"))


if __name__ == "__main__":
    main()
