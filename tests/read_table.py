# SPDX-License-Identifier: GPL-3.0-or-later
"""A second reader of the container, written from format/FORMAT.md alone, slow and plain.

    python3 read_table.py FILE[@MEMBER] [--WHAT] x eps q k1 theta
    python3 read_table.py FILE[@MEMBER] [--WHAT] < points > values

Points are lines 'x eps q k1 theta', values lines of T and L with 17 digits.  WHAT: value (the
default;
0 where the sum is below 0), keep (the sum itself), error (its bound), reference (the correlation
limit; nan where it is not known), members (values of all members, one after the other), uncertainty
(central, low, high).  pa: T and its bound of a table of a proton's dijets, whose points are lines
'CHANNEL x z k1 k2 angle Lambda', CHANNEL 0 for qg, 1 for gg, 2 for qqb.
A message tells what the file violates.
"""
import array
import itertools
import math
import pathlib
import re
import struct
import sys

MAGIC = b"\x89CGCT\r\n\x1a"
LINES_MAX = 2**25
EDGE = 1e-12
VARIED_ORDER = 6


def crc64(data, table=[]):
    if not table:
        for i in range(256):
            for _ in range(8):
                i = (i >> 1) ^ (0xC96C5795D7870F42 if i & 1 else 0)
            table.append(i)
    c = 2**64 - 1
    for byte in data:
        c = (c >> 8) ^ table[(c ^ byte) & 255]
    return c ^ (2**64 - 1)


def require(true, message):
    if not true:
        raise ValueError(message)


def pad8(n):
    return (n + 7) // 8 * 8


def doubles(raw):
    values = struct.unpack("<%dd" % (len(raw) // 8), raw)
    require(all(map(math.isfinite, values)), "a number is not finite")
    return list(values)


# ---- sections 1 to 4 ----

def chunks(raw):
    """[(name, content)]"""
    out, at = [], 16
    while at < len(raw):
        require(len(raw) - at >= 24, "truncated at %d" % at)
        name, reserved, n = struct.unpack("<4sIQ", raw[at:at + 16])
        require(n <= len(raw) - at - 24, "truncated: chunk at %d has %d bytes" % (at, n))
        end = at + 16 + pad8(n)
        require(end + 8 <= len(raw), "truncated in chunk at %d" % at)
        require(crc64(raw[at:end]) == struct.unpack("<Q", raw[end:end + 8])[0],
                "checksum of the chunk at %d" % at)
        require(reserved == 0 and not any(raw[at + 16 + n:end]), "reserved bytes at %d" % at)
        out.append((name, raw[at + 16:at + 16 + n]))
        at = end + 8
    return out


def metadata(raw):
    require(b"\0" not in raw, "NUL in the metadata")
    require(not raw or raw.endswith(b"\n"), "last line of the metadata")
    out = {}
    for line in raw.split(b"\n")[:-1]:
        key, tab, value = line.partition(b"\t")
        key = key.decode("latin-1")
        require(tab and re.fullmatch("[A-Za-z0-9_.-]+", key), "metadata key")
        require(key not in out, "metadata key %s occurs twice" % key)
        require(not re.search(rb"[\t\r]", value), "metadata of %s: tab or CR" % key)
        require(re.fullmatch(rb"([^\\]|\\[\\nrt])*", value, re.S), "metadata of %s: backslash" %
        key)
        plain = {b"n": b"\n", b"r": b"\r", b"t": b"\t", b"\\": b"\\"}
        out[key] = re.sub(rb"\\(.)", lambda m: plain[m[1]], value).decode("utf-8", "replace")
    return out


class Head:
    def __init__(self, raw):
        require(len(raw) == 128, "HEAD has %d bytes" % len(raw))
        (self.version, self.members, self.px, self.peps, self.nx, self.neps, self.nq, self.nl,
         self.nu, self.nm, *rest) = struct.unpack("<18I", raw[:72])
        self.order, self.blocks, self.shared = rest[:4], rest[4:7], rest[7]
        self.k0, self.k_max = doubles(raw[72:88])
        self.dx, self.deps = struct.unpack("<2I", raw[112:120])
        self.x_from, = doubles(raw[120:])
        require(self.version in (3, 4), "data version %d" % self.version)
        self.s = self.version - 3
        for name, low, high in (
                ("members", 1, 4096), ("px", 1, 64), ("peps", 1, 64), ("nx", 1, 4096),
                ("neps", 1, 4096), ("nq", 2, 4096), ("nl", 2, 1024), ("nu", 2, 1024),
                ("nm", 1, 256)):
            require(low <= getattr(self, name) <= high, "%s = %d" % (name, getattr(self, name)))
        for i, n in enumerate(self.order):
            require(2 <= n <= (32 if i < 2 else 8), "order %d" % n)
        for b, n in zip(self.blocks, (self.nq, self.nl, self.nu)):
            require(1 <= b <= n - 1, "%d blocks of %d nodes" % (b, n))
        require(self.shared < self.members, "%d shared bounds" % self.shared)
        require(self.k0 > 0 and self.k_max > 0, "k0 or k_max")
        require((self.dx > 0) == (self.deps > 0) and max(self.dx, self.deps) <= 32, "dx or deps")
        require(0 in raw[88:112], "name of the program")


class Axis:
    """Nodes of x or eps with their panels: (first node, number of nodes)."""

    def __init__(self, name, span, nodes, counts):
        self.name, self.span, self.nodes, self.panels = name, span, nodes, []
        check_rising(name, nodes)
        first = 0
        for n in counts:
            require(n >= 2 or len(nodes) == n == len(counts) == 1, "a panel of %s" % name)
            self.panels.append((first, n))
            first += n - 1
        require(first + 1 == len(nodes), "panels of %s" % name)
        require(0 < span[0] <= span[1], "range of %s" % name)
        if len(nodes) == 1:
            require(span[0] <= nodes[0] <= span[1], "node of %s" % name)
        else:
            require(span == [nodes[0], nodes[-1]], "range of %s" % name)


def check_rising(name, nodes):
    require(nodes[0] > 0, "node of %s" % name)
    for a, b in zip(nodes, nodes[1:]):
        require(b > a and math.log(b) - math.log(a) >= 1e-9, "nodes of %s" % name)


# ---- section 6 ----

class Bits:
    """The bits as text, which finds ends of runs and numbers quickly."""

    def __init__(self, raw):
        self.text = "".join(format(byte, "08b")[::-1] for byte in raw)
        self.at = 0

    def number(self, n):
        digits = self.text[self.at:self.at + n]
        require(len(digits) == n, "the bits end too early")
        self.at += n
        return int(digits[::-1], 2) if n else 0

    def ones(self, most):
        """How many ones come before a zero, most at most; then there is no zero."""
        end = self.text.find("0", self.at, self.at + most)
        require(end >= 0 or len(self.text) >= self.at + most, "the bits end too early")
        n = end - self.at if end >= 0 else most
        self.at += n + (end >= 0)
        return n

    def code(self, b):
        g = self.ones(24)
        z = self.number(32) if g == 24 else g << b | self.number(b)
        require(z < 2**32, "a residual of more than 32 bits")
        return unfolded(z)

    def plane(self, nv, inside):
        """Integers (nq, nv), those of the columns `inside` of each row; None where all are 0."""
        if not any(inside) or not self.number(1):
            return None
        c, d = self.number(2), self.number(2)
        kinds, sums = [0] * nv, [[0] * nv for _ in range(d)]
        flat = []
        for columns in inside:
            row = []
            for at in range(0, len(columns), 8):
                n = min(8, len(columns) - at)
                kinds[at] += unfolded(self.ones(52))
                require(0 <= kinds[at] <= 25, "kind of a run")
                row += [self.code(kinds[at] - 1) if kinds[at] else 0 for _ in range(n)]
            for _ in range(c):
                row = list(itertools.accumulate(row))
            for total in sums:
                for k, j in enumerate(columns):
                    total[j] = row[k] = total[j] + row[k]
            line = [0] * nv
            for j, v in zip(columns, row):
                line[j] = (v + 2**31) % 2**32 - 2**31
            flat += line
        return array.array("i", flat) if any(flat) else None


def unfolded(z):
    return z // 2 if z % 2 == 0 else -(z + 1) // 2


class Segment:
    def __init__(self, head, rows, raw):
        require(len(raw) >= 16, "SEGM has %d bytes" % len(raw))
        self.R, size, self.step = struct.unpack("<2Id", raw[:16])
        require(1 <= self.R <= 1024, "R = %d" % self.R)
        require(math.isfinite(self.step) and self.step > 0, "step of a segment")
        end = 16 + 8 * rows * self.R
        require(len(raw) == end + pad8(size) and not any(raw[end + size:]), "size of SEGM")
        self.U = doubles(raw[16:end])
        bits = Bits(raw[end:end + size])
        self.V = [[[[None] * self.R for _ in range(2)] for _ in range(head.nm)] for _ in range(2)]
        groups = [(pol, c, patch) for pol in range(2) for c in range(0, self.R, 4)
                  for patch in range(2)]
        ends = [self.read_ends(head, bits, patch) for _, _, patch in groups]
        self.lines = sum(1 + e // 2 + w // 2 for pair in ends for e, w in zip(*pair))
        for (pol, c, patch), (end, wide) in zip(groups, ends):
            nv = head.nu if patch else head.nl
            for m in range(head.nm):
                inside = [[j for j in range(nv) if end[i * nv + j] > m] for i in range(head.nq)]
                for r in range(c, min(c + 4, self.R)):
                    self.V[pol][m][patch][r] = plane = bits.plane(nv, inside)
                    require(all(v < 2**31 - 2**15 if w > m else -2**15 <= v < 2**15
                                for v, w in zip(plane or [], wide)), "size of an integer")
        rest = bits.text[bits.at:]
        require(len(rest) < 8 and "1" not in rest, "something is left over of the bits")

    def read_ends(self, head, bits, patch):
        """e and w of a group at all points"""
        nv = head.nu if patch else head.nl
        everywhere = [range(nv)] * head.nq
        end, wide = ((bits.plane(nv, everywhere) or [0] * head.nq * nv) for _ in range(2))
        require(all(0 <= w <= e <= head.nm for e, w in zip(end, wide)), "ends of a group")
        require(patch or max(end[::nv]) <= 1 + head.s, "r_m at k = 0")
        return end, wide


# ---- section 5 ----

def cell_of(nodes, value):
    """The cell i <= i+1 that holds a value; the last one for the last node."""
    return max(i for i in range(len(nodes) - 1) if i == 0 or nodes[i] <= value)


def weights(nodes, order, value):
    """{node: weight} of the polynomial through those that the rule chooses."""
    if len(nodes) == 1:
        return {0: 1.0}
    n = min(order, len(nodes))
    start = min(max(cell_of(nodes, value) - (n - 1) // 2, 0), len(nodes) - n)
    chosen = range(start, start + n)
    return {i: math.prod((value - nodes[j]) / (nodes[i] - nodes[j]) for j in chosen if j != i)
            for i in chosen}


def clamped(name, value, low, high):
    inside = low * (1 - EDGE) <= value <= high * (1 + EDGE)
    require(inside, "%s = %.17g lies outside %.17g to %.17g" % (name, value, low, high))
    return min(max(value, low), high)


class Table:
    def __init__(self, path):
        raw = pathlib.Path(path).read_bytes()
        require(raw[:8] == MAGIC, "not a cgctab container")
        require(len(raw) >= 16, "truncated")
        major, minor, reserved = struct.unpack("<2HI", raw[8:16])
        require(major == 2, "major version %d, want 2" % major)
        require(minor == 0 and reserved in (0, 6), "minor version %d, kind %d" % (minor, reserved))
        self.forward = reserved == 6
        parts = chunks(raw)
        require(parts and parts[0][0] == b"HEAD", "no HEAD")
        h = self.head = Head(parts[0][1])
        vary = [b"VARY"] if h.dx else []
        segments = [b"SEGM"] * (h.px * h.peps + (h.dx > 0))
        own = b"FUNC" if self.forward else b"TENS"
        want = [b"HEAD", b"META", b"AXES", *vary, own, *segments, b"ERRS", b"TEND"]
        require([name for name, _ in parts] == want, "chunks or their order")
        content = [data for _, data in parts]
        self.meta = metadata(content[1])
        self.read_axes(content[2])
        self.read_variations(content.pop(3) if h.dx else None)
        if self.forward:
            self.read_functions(content[3])
        else:
            require(len(content[3]) == 16 * h.members * h.nx * h.nq, "size of TENS")
            self.tensor = doubles(content[3])
            require(all(abs(g) <= 800 for g in self.tensor[::2]), "ln G")
            require(all(abs(r) <= 1 for r in self.tensor[1::2]), "H/G")
        each = 1 if h.dx else h.members
        sizes = [each * nx * ne for _, nx in self.x.panels for _, ne in self.eps.panels]
        if h.dx:
            sizes.append(h.variations * h.dx * h.deps)
        self.segments = [Segment(h, n, data) for n, data in zip(sizes, content[4:-2])]
        require(sum(s.lines for s in self.segments) <= LINES_MAX, "too many integers")
        n = (h.members - h.shared) * h.nx * h.neps * 2 * h.blocks[0] * (h.blocks[1] + h.blocks[2])
        require(len(content[-2]) == pad8(n) and not any(content[-2][n:]), "size of ERRS")
        self.codes = content[-2]
        require(content[-1] == b"", "size of TEND")
        self.names = self.member_names()

    # ---- section 11 ----

    def read_functions(self, raw):
        h = self.head
        require(h.neps == 1 and h.members == 4 and not h.dx, "eps or members of FUNC")
        require(len(raw) >= 16, "size of FUNC")
        self.parts, n = struct.unpack("<2I", raw[:8])
        self.k_end, *v = doubles(raw[8:])
        require(1 <= self.parts <= 65 and 8 <= n <= 4096, "numbers of FUNC")
        size = 4 + 3 * n
        require(len(v) == h.nx * self.parts * size, "size of FUNC")
        require(self.q[-1] + h.k_max <= self.k_end <= 1e6 and h.k0 >= 1e-6, "k_end of FUNC")
        require(all(abs(a) <= 1e60 for a in v), "number of FUNC")
        self.blocks = [v[i:i + size] for i in range(0, len(v), size)]
        require(all(min(b[:4]) >= 0 for b in self.blocks), "share or error of FUNC")
        self.nodes = n

    def function(self, x, part, which, k):
        """F_1, F_2 or G/k of a dipole, and a bound on its error"""
        n, k0 = self.nodes, self.head.k0
        u = math.asinh(k / k0) / math.asinh(self.k_end / k0) * (n - 1)
        panel, wx, around = self.on_axis(self.x, self.head.order[0], x)
        first = self.x.panels[panel][0]
        of = {i: self.blocks[i * self.parts + part] for i in range(self.head.nx)}
        start = min(max(min(int(u), n - 2) - 3, 0), n - 8)
        w = {i: math.prod((u - j) / (i - j) for j in range(start, start + 8) if j != i)
             for i in range(start, start + 8)}
        value = math.fsum(a * b * of[first + i][4 + which * n + j]
                          for i, a in wx.items() for j, b in w.items())
        weight = (1 + (k / k0) ** 2) ** 2
        return value / weight, max(of[i][1 + which] for i in around) / weight

    def pa(self, channel, x, z, k1, k2, angle, Lambda):
        """T and its bound; channel 0, 1, 2: qg, gg, qqb"""
        require(self.forward, "no table of a proton's dijets")
        dot = k1 * k2 * math.cos(angle)
        q = math.sqrt(k1 * k1 + k2 * k2 + 2 * dot)
        P2 = ((1 - z) * k1) ** 2 + (z * k2) ** 2 - 2 * z * (1 - z) * dot
        P_k2, log = (1 - z) * dot - z * k2 * k2, math.log(Lambda / 0.1)
        k, unit = min(k1, k2), 4 * math.pi / P2
        theta = math.acos(max(-1.0, min(1.0, (dot + k * k) / (q * k))))
        point = (x, self.eps.nodes[0], q, k, theta)
        slot = (int(k2 > k1), 0, 1)[channel]
        T, bound = (f(*point, member=min(channel, 1))[slot] for f in (self.keep, self.error))
        if channel:
            (a, b), (da, db) = (f(*point, member=channel + 1) for f in (self.keep, self.error))
            at_k1, at_k2 = (a, b) if k2 > k1 else (b, a)
            d1, d2 = (da, db) if k2 > k1 else (db, da)
            T -= unit * ((1 - z) * at_k1 + z * at_k2)
            bound += unit * ((1 - z) * d1 + z * d2)
            P_k2 = 0.0
        twice = 2 if channel else 1
        which = ((0, 1, 0), (1, 1, 1), (1, 0, 0))[channel]
        for part in range(self.parts):
            share = self.blocks[part][0]
            (A, dA), (g, dg), (F1, dF1), (F2, dF2) = (
                self.function(x, part, *of) for of in ((which[0], q), (2, k2), (which[1], k1),
                                                       (which[2], k2)))
            T += share * (unit * A * (twice * math.pi + P_k2 * g) - 2 * math.pi * F1 * F2 * log)
            bound += share * (unit * (twice * math.pi * dA + abs(P_k2) * (
                abs(A) * dg + abs(g) * dA + dA * dg)) + 2 * math.pi * abs(log) * (
                    abs(F1) * dF2 + abs(F2) * dF1 + dF1 * dF2))
        return [T, bound]

    def member_names(self):
        names = self.meta["members"].split(" ") if "members" in self.meta else [""]
        require(len(names) == self.head.members and len(set(names)) == len(names)
                and (all(names) or len(names) == 1), "names of the members")
        aside = self.meta["comparison"].split(" ") if "comparison" in self.meta else []
        require(set(aside) <= set(names[1:]) and len(set(aside)) == len(aside), "comparison")
        self.drawn = [j for j, name in enumerate(names) if name not in aside]
        self.kind = self.meta.get("uncertainty", "none")
        require(self.kind in ("replicas", "none") or self.kind == "hessian"
                and len(self.drawn) % 2 == 1, "uncertainty")
        return names

    def read_axes(self, raw):
        h = self.head
        n = 8 * (4 + h.nx + h.neps + h.nq + h.dx + h.deps)
        size = n + 4 * (h.px + h.peps)
        require(len(raw) == pad8(size) and not any(raw[size:]), "size of AXES")
        v = doubles(raw[:n])
        counts = struct.unpack("<%dI" % (h.px + h.peps), raw[n:size])
        self.x = Axis("x", v[:2], v[2:2 + h.nx], counts[:h.px])
        self.eps = Axis("eps", v[2 + h.nx:4 + h.nx], v[4 + h.nx:4 + h.nx + h.neps], counts[h.px:])
        at = 4 + h.nx + h.neps + h.nq
        self.q = v[4 + h.nx + h.neps:at]
        check_rising("q", self.q)
        self.dx, self.deps = v[at:at + h.dx], v[at + h.dx:]
        for nodes in (self.dx, self.deps):
            if nodes:
                check_rising("differences", nodes)
        require(not self.dx or h.x_from == 0 or h.x_from > self.dx[-1], "nodes of differences")
        require(h.x_from == 0 or h.x_from > self.x.span[1], "x_from = %g" % h.x_from)

    def read_variations(self, raw):
        h, n = self.head, 0
        if raw is not None:
            require(len(raw) >= 8, "VARY")
            n, reserved = struct.unpack("<2I", raw[:8])
            require(1 <= n < h.members and reserved == 0 and
                    len(raw) == 8 + 8 * (h.members - 1) * n, "VARY")
            self.mix = doubles(raw[8:])
        h.variations = n

    def variable(self, name):
        x_from = self.head.x_from if name == "x" else 0
        return (lambda v: -math.log(math.log(x_from / v))) if x_from else math.log

    def difference(self, member, x, eps):
        """(segment, its R numbers): what a member has beside the first"""
        s = self.segments[-1]
        wx, we = (weights([u(v) for v in nodes], VARIED_ORDER, u(value)) for nodes, value, u in (
            (self.dx, clamped("x", x, *self.x.span), self.variable("x")),
            (self.deps, clamped("eps", eps, *self.eps.span), math.log)))
        P, each = self.head.variations, len(self.dx) * len(self.deps)
        return s, [math.fsum(self.mix[(member - 1) * P + p] * a * b
                             * s.U[(p * each + i * len(self.deps) + j) * s.R + r]
                             for p in range(P) for i, a in wx.items() for j, b in we.items())
                   for r in range(s.R)]

    def on_axis(self, axis, order, value):
        """(panel, {node of the panel: weight}, nodes of the axis around the value)"""
        value = clamped(axis.name, value, *axis.span)
        panel, (first, n) = next((i, p) for i, p in enumerate(axis.panels)
                                 if value <= axis.nodes[sum(p) - 1] or i == len(axis.panels) - 1)
        nodes = axis.nodes[first:first + n]
        u = self.variable(axis.name)
        w = weights([u(v) for v in nodes], order, u(value))
        around = [first] if n == 1 else [first + cell_of(nodes, value) + i for i in range(2)]
        return panel, w, around

    def place(self, q, k1, theta):
        """(patch, v, t)"""
        q = clamped("q", q, self.q[0], self.q[-1])
        along = q - k1 * math.cos(theta)
        k2 = math.hypot(along, k1 * math.sin(theta))
        k = clamped("shorter momentum", max(min(k1, k2), 1e-300), 1e-300, self.head.k_max)
        mu = math.cos(theta) if k1 <= k2 else along / k2 if k2 > 0 else 1.0
        k0, k_max = self.head.k0, self.head.k_max
        if k <= q / 2:
            B = math.asinh(q / (2 * k0)) / 2
            v = (1 + math.atanh((4 * k / q - 1) * math.tanh(B)) / B) / 2
            return q, 0, min(max(v, 0.0), 1.0), min(max(mu, -1.0), 1.0)
        c, C = math.sqrt(k * k - q * q / 4), (k_max**4 + (q / 2) ** 4) ** 0.5 - q * q / 4
        t = 2 * (1 + mu) / (1 + q / (2 * k)) - 1
        v = math.asinh(c / k0) / math.asinh(math.sqrt(C) / k0)
        return q, 1, v, min(max(t, -1.0), 1.0)

    def rows(self, member, x, eps):
        """[(segment, its R numbers), ...], interpolated in x and eps; fields are their sum"""
        px, wx, _ = self.on_axis(self.x, self.head.order[0], x)
        pe, we, _ = self.on_axis(self.eps, self.head.order[1], eps)
        s = self.segments[px * self.head.peps + pe]
        nx, ne = self.x.panels[px][1], self.eps.panels[pe][1]
        full = 0 if self.dx else member
        u = [math.fsum(a * b * s.U[((full * nx + i) * ne + j) * s.R + r]
                       for i, a in wx.items() for j, b in we.items()) for r in range(s.R)]
        return [(s, u)] + ([self.difference(member, x, eps)] if self.dx and member else [])

    def fields(self, member, x, eps, q, patch, v, count):
        """[[l, r_1, ...] of T, of L], count of them"""
        rows = self.rows(member, x, eps)
        nv = self.head.nu if patch else self.head.nl
        wv = weights([j / (nv - 1) for j in range(nv)], self.head.order[3], v)
        wq = weights([math.log(v) for v in self.q], self.head.order[2], math.log(q))
        at = [(i * nv + j, a * b) for i, a in wq.items() for j, b in wv.items()]
        return [[sum(s.step * sum(ur * sum(plane[i] * w for i, w in at)
                                  for ur, plane in zip(u, s.V[pol][m][patch]) if plane)
                     for s, u in rows) for m in range(count)] for pol in range(2)]

    def keep(self, x, eps, q, k1, theta, member=0):
        q, patch, v, t = self.place(q, k1, theta)
        out, angle = [], math.acos(t)
        for l, *r in self.fields(member, x, eps, q, patch, v, self.head.nm):
            out.append(math.exp(l) * math.fsum(
                [1.0] + [c * math.cos((m + 1 - self.head.s) * angle) for m, c in enumerate(r)]))
        return out

    def value(self, *point, member=0):
        """nan, nan where the cross section is negative"""
        kept, error = self.keep(*point, member=member), self.error(*point, member=member)
        q, patch, v, _ = self.place(*point[2:])
        for I, bound, (_, *r) in zip(kept, error,
                                     self.fields(member, *point[:2], q, patch, v, self.head.nm)):
            if I < -bound or (I <= 0 and self.head.s and 1 + r[0] < 0):
                return [math.nan, math.nan]
        return [max(I, 0.0) for I in kept]

    def members(self, *point, member=0):
        return [v for j in range(self.head.members) for v in self.value(*point, member=j)]

    # ---- section 3: central, low and high ----

    def range_of(self, v):
        central, others = v[0], sorted(v[1:])

        def quantile(p):
            if not others:
                return central
            at = p * (len(others) - 1)
            i = math.floor(at)
            above = others[min(i + 1, len(others) - 1)]
            return others[i] * (1 - (at - i)) + above * (at - i)
        if self.kind == "replicas":
            return [central, quantile(0.16), quantile(0.84)]
        if self.kind == "none":
            return [central, min(v), max(v)]
        pairs = list(zip(v[1::2], v[2::2]))
        fall = math.hypot(*(max(0.0, central - min(p)) for p in pairs), 0.0)
        rise = math.hypot(*(max(0.0, max(p) - central) for p in pairs), 0.0)
        return [central, central - fall, central + rise]

    def uncertainty(self, *point, member=0):
        each = [self.value(*point, member=j) for j in self.drawn]
        ranges = [self.range_of([v[pol] for v in each]) for pol in range(2)]
        return [v for both in zip(*ranges) for v in both]

    # ---- sections 7 and 8 ----

    def error(self, x, eps, q, k1, theta, member=0):
        h = self.head
        bq, bl, bu = h.blocks
        q, patch, v, _ = self.place(q, k1, theta)
        nv, bv = (h.nu, bu) if patch else (h.nl, bl)
        row = cell_of(self.q, q) * bq // (h.nq - 1)
        column = cell_of([j / (nv - 1) for j in range(nv)], v) * bv // (nv - 1) + patch * bl
        bounds = min(member, h.members - h.shared - 1)
        out = []
        keep = self.keep(x, eps, q, k1, theta, member=member)
        for pol, (l,) in enumerate(self.fields(member, x, eps, q, patch, v, 1)):
            code = max(self.codes[((((bounds * h.nx + i) * h.neps + j) * 2 + pol) * bq + row)
                                  * (bl + bu) + column]
                       for i in self.on_axis(self.x, 2, x)[2]
                       for j in self.on_axis(self.eps, 2, eps)[2])
            unit = (2 * abs(keep[pol]) + math.exp(l)) / 3
            known = 2.0 ** ((code - 200) / 4) * unit if code else 0.0
            out.append(known if code < 255 else math.inf)
        return out

    def reference(self, x, eps, q, k1, theta, member=0):
        h = self.head
        eps = clamped("eps", eps, *self.eps.span)
        q = self.place(q, k1, theta)[0]
        panel, wx, _ = self.on_axis(self.x, h.order[0], x)
        wq = weights([math.log(v) for v in self.q], h.order[2], math.log(q))
        first, sums = self.x.panels[panel][0], [0.0, 0.0]
        for i, a in wx.items():
            for j, b in wq.items():
                at = 2 * ((member * h.nx + first + i) * h.nq + j)
                if self.tensor[at] == -800:
                    return [math.nan, math.nan]
                sums = [s + a * b * v for s, v in zip(sums, self.tensor[at:at + 2])]
        G, ratio = math.exp(sums[0]), sums[1]
        unit = (2 * math.pi) ** 2 * G / 2
        along, across = twist_amplitudes(q, k1 * math.cos(theta) - q / 2, k1 * math.sin(theta), eps)
        T, L = (unit * ((1 + ratio) * a + (1 - ratio) * b) for a, b in zip(along, across))
        return [T / eps**2, L]


def twist_amplitudes(q, along, across, mu):
    """Squares, of T and L, of Int ds of the gradient of psi at (along + s q, across) over s from
    -1/2 to 1/2: of its component along q, and of that across.  Gauss and Legendre in t, where along
    + s q = a sinh t, a^2 = across^2 + mu^2."""
    a, panels = math.hypot(across, mu), 60
    ends = [math.asinh((along + s * q) / a) for s in (-0.5, 0.5)]
    step, sums = (ends[1] - ends[0]) / panels, [0.0] * 6
    for i in range(panels):
        for node, weight in ((-0.7745966692414834, 5 / 18), (0.0, 8 / 18),
                             (0.7745966692414834, 5 / 18)):
            t = ends[0] + step * (i + 0.5 + node / 2)
            x, y, w = a * math.sinh(t), across, weight * step * a * math.cosh(t) / q
            d = x * x + y * y + mu * mu
            # derivatives along x and y of psi_T,x, psi_T,y, psi_L
            terms = (1 / d - 2 * x * x / d**2, -2 * x * y / d**2, -2 * x / d**2,
                     -2 * x * y / d**2, 1 / d - 2 * y * y / d**2, -2 * y / d**2)
            sums = [v + w * term for v, term in zip(sums, terms)]
    return [[sums[i]**2 + sums[i + 1]**2, sums[i + 2]**2] for i in (0, 3)]


def main():
    arguments = sys.argv[1:]
    what = "value"
    if len(arguments) > 1 and arguments[1].startswith("--"):
        what = arguments.pop(1)[2:]
    require(what in ("value", "keep", "error", "reference", "members",
                     "uncertainty", "pa"), "unknown: --" + what)
    require(len(arguments) in (1, 8 if what == "pa" else 6), __doc__)
    path, _, name = arguments[0].partition("@")
    table = Table(path)
    member = 0
    if name:
        require(name in table.names or name.isdigit(), "no member " + name)
        member = table.names.index(name) if name in table.names else int(name)
        require(member < table.head.members, "no member " + name)
    points = [arguments[1:]] if arguments[1:] else (line.split() for line in sys.stdin)
    for point in points:
        values = table.pa(int(point[0]), *map(float, point[1:])) if what == "pa" else \
            getattr(table, what)(*map(float, point), member=member)
        print(" ".join("%.17g" % v for v in values))


if __name__ == "__main__":
    try:
        main()
    except (OSError, ValueError) as problem:
        sys.exit("%s: %s" % (sys.argv[1] if sys.argv[1:] else "read_table.py", problem))
