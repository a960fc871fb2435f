# SPDX-License-Identifier: GPL-3.0-or-later
"""A second reader of the container, written from format/FORMAT.md alone, slow and plain.

    python3 read_table.py FILE < points > values

Points are lines 'x eps q k1 theta', values lines 'I_T I_L'.  Needs the program zstd for compressed
nodes.  A ValueError tells what the file violates.
"""
import math
import struct
import subprocess
import sys


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


def require(condition, what):
    if not condition:
        raise ValueError(what)


def pad8(n):
    return (n + 7) // 8 * 8


class Node:
    """scale[pol][point], flag, bound (over s), ratio[pol][point] = [I_0/s, I_1/s, ...]."""

    def __init__(self, n):
        self.scale = [[0.0] * n for _ in range(2)]
        self.flag = [[0] * n for _ in range(2)]
        self.bound = [[0.0] * n for _ in range(2)]
        self.ratio = [[[] for _ in range(n)] for _ in range(2)]


class Parts:
    """Descriptors, streams and bits of encoding 5, as far as they have been read."""

    def __init__(self, descriptors):
        self.descriptors, self.at, self.streams, self.bits = descriptors, 0, [], []

    def descriptor(self):
        """(order, coefficients)"""
        order = self.descriptors[self.at]
        self.at += 1
        require(order <= 4, "order %d" % order)
        c = [0] * 8
        if order < 4:
            mask = self.descriptors[self.at]
            self.at += 1
            for t in range(8):
                if mask >> t & 1:
                    c[t], = struct.unpack("<h", self.descriptors[self.at:self.at + 2])
                    self.at += 2
        return order, c

    def number(self, y):
        require(y <= 227, "symbol %d" % y)
        z = y
        if y >= 128:
            b = 5 + (y - 128) // 4
            low = sum(self.bits[i] << i for i in range(b))
            del self.bits[:b]
            z = (4 + y % 4) * 2**b + low
        return z // 2 if z % 2 == 0 else -(z + 1) // 2

    def plane(self, rows, v1, v2):
        """rows: (first, end) of each; v1, v2: the modes before it"""
        nk = len(v1[0])
        order, c = self.descriptor()
        v = [[0] * nk for _ in rows]
        symbols = [[0] * nk for _ in rows]

        def get(plane, q, k):
            return plane[q][k] if q >= 0 and 0 <= k < nk else 0

        for q, (first, end) in enumerate(rows):
            if order == 4:
                break
            for k in range(first, end):
                if (k - first) % 4 == 0:
                    w = max(get(symbols, q - 1, i) for i in range(k - 1, k + 5))
                    stream = sum(x <= w for x in (1, 2, 4, 8, 16, 32, 64, 128, 136))
                symbols[q][k] = self.streams[stream].pop(0)
            e = [self.number(symbols[q][k]) for k in range(first, end)]
            for t in reversed(range(order)):
                for i in range(t + 1, len(e)):
                    e[i] += e[i - 1]
            for k in range(first, end):
                upper = get(v, 0, k) if q == 1 else get(v, q - 2, k)
                p = (2048 + c[0] * get(v, q - 1, k) + c[1] * get(v, q - 1, k + 1)
                     + c[2] * get(v, q - 1, k - 1) + c[3] * upper
                     + c[4] * v1[q][k] + c[5] * get(v1, q - 1, k)
                     + c[6] * v2[q][k] + c[7] * get(v2, q - 1, k)) // 4096
                v[q][k] = (p + e[k - first] + 2**31) % 2**32 - 2**31
        return v


class Table:
    def __init__(self, path):
        with open(path, "rb") as f:
            self.data = f.read()
        self.read_header()
        flat = struct.unpack("<%dd" % sum(self.n), self.section(96))
        self.axes, self.nodes_of, at = [], [[0]] * 4, 0
        for n in self.n:
            self.axes.append([math.log(v) for v in flat[at:at + n]])
            at += n
        self.points = self.n[2] * self.n[3]
        self.shape = struct.unpack("<%dH" % (self.n[1] * self.points), self.section(208))
        index = self.section(120)
        self.nodes = [self.read_node(i, index[64 * i:64 * i + 64])
                      for i in range(self.n[0] * self.n[1])]

    def read_header(self):
        d = self.data
        require(d[:8] == b"\x89CGCT\r\n\x1a", "no magic")
        major, minor, size, kind, version, self.features, reserved, length = \
            struct.unpack("<2H5IQ", d[8:40])
        require(major == 1 and minor in (1, 2) and size == 256 and kind == 1 and version == 1,
                "version")
        require(reserved == 0, "reserved bytes")
        require(crc64(d[:248]) == struct.unpack("<Q", d[248:256])[0], "header crc")
        require(length == len(d), "length")
        require(not self.features & ~7 and self.features & 6 != 4, "features")
        self.n = struct.unpack("<4I", d[40:56])
        self.order = d[60:64]
        self.power = struct.unpack("<d", d[64:72])[0]

    def section(self, at):
        offset, size, crc = struct.unpack("<3Q", self.data[at:at + 24])
        part = self.data[offset:offset + size]
        require(len(part) == size and crc64(part) == crc, "section at %d" % at)
        return part

    def read_node(self, number, entry):
        offset, stored, raw_size, crc, raw_crc, nm, encoding, packed, flagged = \
            struct.unpack("<5Q4I", entry[:56])
        frame = self.data[offset:offset + stored]
        require(crc64(frame) == crc, "frame crc")
        raw = frame
        if packed:
            raw = subprocess.run(["zstd", "-q", "-d", "--stdout"], input=frame, check=True,
                                 capture_output=True).stdout
        require(len(raw) == raw_size, "raw size")
        if encoding == 1:
            require(crc64(raw) == raw_crc, "raw crc")
            node = self.plain(raw, nm)
        elif encoding == 2:
            node = self.rounded(raw, nm)
        elif encoding == 5:
            node = self.predicted(raw, nm)
        else:
            node = self.records(raw, number % self.n[1], encoding)
        require(flagged == sum(map(sum, node.flag)), "flagged")
        return node

    def plain(self, raw, nm):
        n = 2 * self.points
        node = Node(self.points)
        numbers = struct.unpack("<%dd" % (3 * n), raw[:24 * n])
        rest = raw[24 * n + pad8(n):]
        for i in range(n):
            pol, point = divmod(i, self.points)
            node.scale[pol][point] = numbers[i]
            node.bound[pol][point] = numbers[n + i]
            node.flag[pol][point] = raw[24 * n + i]
            modes = struct.unpack("<%dd" % (nm - 1), rest[8 * i * (nm - 1):8 * (i + 1) * (nm - 1)])
            node.ratio[pol][point] = [numbers[2 * n + i], *modes]
        return node

    def rounded(self, raw, nm):
        n, nq, nk = 2 * self.points, self.n[2], self.n[3]
        _, h, g = struct.unpack("<3d", raw[:24])
        at = 24 + pad8(2 * (nm + 1))
        orders, flags, codes = raw[24:], raw[at:], raw[at + pad8(n):]
        planes = raw[at + 2 * pad8(n):]
        count = n * (nm + 1)
        node = Node(self.points)
        for p in range(2 * (nm + 1)):
            pol, j = divmod(p, nm + 1)
            z = [sum(planes[p * self.points + i + b * count] << 8 * b for b in range(4))
                 for i in range(self.points)]
            v = [w // 2 if w % 2 == 0 else -(w + 1) // 2 for w in z]
            for _ in range(orders[p] & 15):
                for i in range(self.points):
                    v[i] += v[i - 1] if i % nk else 0
            for _ in range(orders[p] >> 4):
                for i in range(nk, self.points):
                    v[i] += v[i - nk]
            for i, value in enumerate(v):
                value = (value + 2**31) % 2**32 - 2**31
                if j == 0:
                    node.scale[pol][i] = math.exp(value * g)
                else:
                    node.ratio[pol][i].append(value * h + (j == 1))
        for i in range(n):
            pol, point = divmod(i, self.points)
            node.flag[pol][point] = flags[i]
            node.bound[pol][point] = 2.0 ** ((codes[i] - 200) / 4) if codes[i] else 0.0
        return node

    def predicted(self, raw, nm):
        n, nq, nk = 2 * self.points, self.n[2], self.n[3]
        _, h, g = struct.unpack("<3d", raw[:24])
        size, *sizes, reserved = struct.unpack("<12I", raw[24:72])
        require(reserved == 0, "reserved bytes")
        at = 72 + n + size
        flags, part = raw[72:72 + n], Parts(raw[72 + n:at])
        for length in sizes:
            part.streams.append(list(raw[at:at + length]))
            at += length
        require(at <= len(raw), "streams")
        part.bits = [byte >> i & 1 for byte in raw[at:] for i in range(8)]
        zeros = [[0] * nk for _ in range(nq)]
        whole = [(0, nk)] * nq
        node, count, before = Node(self.points), [None, None], [[zeros, zeros], [zeros, zeros]]
        for j in range(4):
            for pol in range(2):
                flat = sum(part.plane(whole, zeros, zeros), [])
                if j == 0:
                    require(all(0 <= c < 256 for c in flat), "error code")
                    node.bound[pol] = [2.0 ** ((c - 200) / 4) if c else 0.0 for c in flat]
                elif j == 1:
                    require(all(0 <= m < nm for m in flat), "number of modes")
                    count[pol] = [m + 1 for m in flat]
                elif j == 2:
                    node.scale[pol] = [math.exp(v * g) for v in flat]
                else:
                    node.ratio[pol] = [[1 + v * h] for v in flat]
        for m in range(1, nm):
            for pol in range(2):
                rows = []
                for iq in range(nq):
                    more = [k for k in range(nk) if count[pol][iq * nk + k] > m]
                    rows.append((more[0], more[-1] + 1) if more else (0, 0))
                plane = part.plane(rows, *before[pol])
                before[pol] = [plane, before[pol][0]]
                for i, v in enumerate(sum(plane, [])):
                    node.ratio[pol][i].append(v * h)
        require(part.at == size and not any(part.streams), "something is left over")
        require(len(part.bits) < 8 and not any(part.bits), "bits are left over")
        for i in range(n):
            node.flag[i // self.points][i % self.points] = flags[i]
        return node

    def records(self, raw, ieps, encoding):
        n, letter, size = 2 * self.points, *(("f", 4) if encoding == 3 else ("d", 8))
        node, at = Node(self.points), 0
        for point in range(self.points):
            modes = self.shape[ieps * self.points + point]
            blocks = 1 + max(0, math.ceil((modes - 7) / 8))
            r = struct.unpack("<%d%s" % (16 * blocks, letter), raw[at:at + 16 * blocks * size])
            at += 16 * blocks * size
            for pol in range(2):
                node.scale[pol][point] = (r[pol], r[2 + pol])
                node.ratio[pol][point] = [1.0, *r[4 + pol::2]]
        for i in range(n):
            pol, point = divmod(i, self.points)
            node.bound[pol][point] = struct.unpack("<d", raw[at + 8 * i:at + 8 * i + 8])[0]
            flag = node.flag[pol][point] = raw[at + 8 * n + i]
            a, b = node.scale[pol][point]
            node.scale[pol][point] = math.exp(a) * (1 if flag else 1 + b)
            if flag:
                node.ratio[pol][point][0] = b
        return node

    # ---- section 5 ----

    def stencil(self, axis, value):
        """(polynomial weights, linear weights) as dictionaries node -> weight."""
        ln = self.axes[axis]
        u = math.log(value)
        lo, hi = ln[0], ln[-1]
        inside = math.exp(lo) * (1 - 1e-12) <= value <= math.exp(hi) * (1 + 1e-12)
        require(inside, "outside axis %d: %g" % (axis, value))
        u = min(max(u, lo), hi)
        if len(ln) == 1:
            return {0: 1.0}, {0: 1.0}
        cell = max(i for i in range(len(ln) - 1) if ln[i] <= u)
        n = min(self.order[axis], len(ln))
        start = min(max(cell - (n - 1) // 2, 0), len(ln) - n)
        nodes = self.nodes_of[axis] = range(start, start + n)
        poly = {i: math.prod((u - ln[j]) / (ln[i] - ln[j]) for j in nodes if j != i)
                for i in nodes}
        t = (u - ln[cell]) / (ln[cell + 1] - ln[cell])
        return {i: w for i, w in poly.items() if w}, {cell: 1 - t, cell + 1: t}

    def flagged(self, pol, xe, qk):
        return any(wx * we * wq * wk and
                   self.nodes[ix * self.n[1] + ie].flag[pol][iq * self.n[3] + ik]
                   for ix, wx in xe[0].items() for ie, we in xe[1].items()
                   for iq, wq in qk[0].items() for ik, wk in qk[1].items())

    def terms(self, poly, linear, outer, curved):
        """[(sign, (x, eps) weights, (q, k) weights)]; without outer or curved less curvature."""
        xe, qk = linear[:2], linear[2:]
        if not self.features & 2:
            return [(1, poly[:2], poly[2:])] if outer and curved else [(1, xe, qk)]
        if not outer:
            result = [(1, xe, qk)]
        elif self.features & 4:
            result = [(1, (poly[0], xe[1]), qk), (1, (xe[0], poly[1]), qk), (-1, xe, qk)]
        else:
            result = [(1, poly[:2], qk)]
        return result + ([(1, xe, poly[2:]), (-1, xe, qk)] if curved else [])

    def lower(self, axis, value, poly, linear):
        """The polynomial that starts one node lower, or None."""
        ln, nodes = self.axes[axis], sorted(self.window)
        start = nodes[0] - 1
        nodes = range(start, start + len(nodes))
        if start < 0 or not all(i in nodes for i in linear):
            return None
        u = math.log(value)
        self.window = list(nodes)
        return {i: math.prod((u - ln[j]) / (ln[i] - ln[j]) for j in nodes if j != i)
                for i in nodes}

    def rule(self, pol, at):
        """(terms, whether a corner is flagged)"""
        poly, linear = zip(*(self.stencil(a, v) for a, v in enumerate(at)))
        nodes = [(poly[0], linear[1]), (linear[0], poly[1])] if self.features & 4 else [poly[:2]]
        outer = curved = True
        if any(self.flagged(pol, xe, poly[2:]) for xe in nodes):
            if self.flagged(pol, linear[:2], linear[2:]):
                return [(1, linear[:2], linear[2:])], True
            self.window = list(self.nodes_of[2])
            while curved and self.flagged(pol, linear[:2], poly[2:]):
                lower = self.lower(2, at[2], poly[2], linear[2])
                curved = lower is not None
                if curved:
                    poly = (poly[0], poly[1], lower, poly[3])
            outer = bool(self.features & 2) and not any(
                self.flagged(pol, xe, linear[2:]) for xe in nodes)
        return self.terms(poly, linear, outer, curved), False

    def modes(self, at):
        """[[I_0, I_1, ...] of T, of L]"""
        out = []
        for pol in range(2):
            terms, corner = self.rule(pol, at)
            sums, ln_s = [], 0.0
            for sign, xe, qk in terms:
                for ix, wx in xe[0].items():
                    for ie, we in xe[1].items():
                        for iq, wq in qk[0].items():
                            for ik, wk in qk[1].items():
                                w = sign * wx * we * wq * wk
                                n = self.nodes[ix * self.n[1] + ie]
                                point = iq * self.n[3] + ik
                                r, s = n.ratio[pol][point], n.scale[pol][point]
                                sums += [0.0] * (len(r) - len(sums))
                                for m, value in enumerate(r):
                                    sums[m] += w * value * (s if corner else 1.0)
                                ln_s += w * math.log(s)
            s = 1.0 if corner else math.exp(ln_s)
            out.append([s * v for v in sums])
        return out

    def evaluate(self, x, eps, q, k1, theta):
        k, factor, tilt = k1, 1.0, 1.0
        if self.features & 1:
            along, across = q - k1 * math.cos(theta), -k1 * math.sin(theta)
            k2 = math.hypot(along, across)
            factor = 1 + (min(k1, k2) / max(k1, k2)) ** self.power
            if k2 < k1:
                k, theta = k2, math.atan2(-across, along)
            first = math.exp(self.axes[3][0])
            if k < first:
                k, tilt = first, k / first
        return [factor * sum((2 if m == 0 else 4) * math.pi * (-tilt) ** m
                             * math.cos(m * theta) * v for m, v in enumerate(modes))
                for modes in self.modes((x, eps, q, k))]


def main():
    table = Table(sys.argv[1])
    for line in sys.stdin:
        print("%.17g %.17g" % tuple(table.evaluate(*map(float, line.split()))))


if __name__ == "__main__":
    main()
