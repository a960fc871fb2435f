# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/*.cgct from format/FORMAT.md alone: one file for each form of a table.

    python3 make_golden.py            (needs the program zstd for the compressed files)

A second implementation of the container: nothing here is taken from format/*.c.

lossless, lossless_zstd (encoding 1): one node; modes are powers of two, every ratio exact:
    I_m(pol,iq,ik) = 2^-(3 + pol + iq + 2 ik) (1, 1/4)      error = I_0/1024
except T at (iq,ik) = (1,1), where I = (-1/64, 1/128) and the scale is flagged.
rounded_zstd (encoding 5), rounded (encoding 5, split without cross), unpacked, unpacked_f64
(encodings 3 and 4), differences_1_1 (encoding 2 in a file of version 1.1): 3 x 3 nodes, 4 x 5
momenta, folded, split and cross,
    I_m = s r^m, ln s = c . ln(x,eps,q,k), r = 1/(1 + k/q), rounded or as f32 or f64.
"""
import math
import pathlib
import struct
import subprocess
import tempfile

AXES = [[0.01], [1.0], [1.0, 2.0], [1.0, 3.0]]  # x, eps, q, k
CARD = "[axes]\nq = 1,2\nk1 = 1,3\n"
META = [("quantity", "modes m of I_T, I_L in GeV^-6, theta = angle(k1,q), "
                     "I = 2 pi I_0 + 4 pi sum_{m>=1} (-1)^m cos(m theta) I_m"),
        ("generator", "golden 1.0"), ("dipole", "powers of two"), ("backend", "none"),
        ("card", CARD), ("certificate.flagged", "0 of 8")]


def crc64(data):
    """CRC-64/XZ, bit by bit."""
    c = 2**64 - 1
    for byte in data:
        c ^= byte
        for _ in range(8):
            c = (c >> 1) ^ (0xC96C5795D7870F42 if c & 1 else 0)
    return c ^ (2**64 - 1)


def modes(pol, iq, ik):
    if (pol, iq, ik) == (0, 1, 1):
        return -1 / 64, 1 / 128, 1 / 1024
    zero = 2.0 ** -(3 + pol + iq + 2 * ik)
    return zero, zero / 4, zero / 1024


def payload():
    scale, error, zero, flag, ratio = [], [], [], [], []
    for pol in range(2):
        for iq in range(2):
            for ik in range(2):
                i0, i1, bound = modes(pol, iq, ik)
                s = i0 if i0 > 0 else max(abs(i0), abs(i1), bound)
                scale.append(s)
                error.append(bound / s)
                zero.append(i0 / s)
                flag.append(0 if i0 > 0 else 1)
                ratio.append(i1 / s)
    return struct.pack("<8d8d8d8B8d", *scale, *error, *zero, *flag, *ratio)


def metadata():
    escape = {"\\": "\\\\", "\n": "\\n", "\r": "\\r", "\t": "\\t"}
    return "".join(k + "\t" + "".join(escape.get(c, c) for c in v) + "\n" for k, v in META).encode()


class File:
    """Sections one after the other, each at a multiple of `align`, and their header entries."""

    def __init__(self):
        self.body = bytearray(256)
        self.parts = {}

    def append(self, name, data, align=8):
        self.body.extend(bytes(-len(self.body) % align))
        self.parts[name] = struct.pack("<3Q", len(self.body), len(data), crc64(data))
        self.body.extend(data)
        return struct.unpack("<3Q", self.parts[name])

    def finish(self, axes, minor, features=0, orders=(4, 4, 4, 4), power=0.0):
        head = b"\x89CGCT\r\n\x1a" + struct.pack(
            "<2H5IQ4II4Bd", 1, minor, 256, 1, 1, features, 0, len(self.body),
            *(len(a) for a in axes), 2, *orders, power)
        head += self.parts["meta"] + self.parts["axes"] + self.parts["index"]
        head += b"golden 1.0".ljust(64, b"\0")
        head += self.parts["shape"] + bytes(16)
        assert len(head) == 248
        self.body[:256] = head + struct.pack("<Q", crc64(head))
        return bytes(self.body)


def build(frame, compression):
    raw = payload()
    f = File()
    f.append("axes", struct.pack("<6d", *(v for axis in AXES for v in axis)))
    offset, size, crc = f.append("node", frame)
    f.append("meta", metadata())
    f.append("shape", struct.pack("<4H", 2, 2, 2, 2))
    f.append("index", struct.pack("<5Q4I8x", offset, size, len(raw), crc, crc64(raw), 2, 1,
                                  compression, 1))
    return f.finish(AXES, 2)


WIDE_AXES = [[1e-4, 1e-3, 1e-2], [0.5, 1.0, 2.0], [1.0, 1.5, 2.25, 4.0],
             [0.5, 1.0, 2.0, 3.0, 5.0]]
NM = 9
POWERS = [(-0.3, -1.2, -2.0, -3.5), (-0.2, 0.4, -2.5, -4.0)]
STEP = 1 / 4096


def ln_s(pol, at):
    return sum(c * math.log(v) for c, v in zip(POWERS[pol], at))


def ratio(m, at):
    return (at[2] / (at[2] + at[3])) ** m


def kept(iq, ik):
    """How many modes a point has: more where q is near k."""
    return 1 + (2 * iq + 3 * ik) % NM


def differences(rows):
    """Order 1 along k and 1 along q."""
    along_k = [[v - (row[i - 1] if i else 0) for i, v in enumerate(row)] for row in rows]
    return [[v - (along_k[j - 1][i] if j else 0) for i, v in enumerate(row)]
            for j, row in enumerate(along_k)]


def flagged(pol, x, eps, q, k):
    """One point of the files with cross: its numbers stay, but its flag says not to trust them."""
    return (pol, x, eps, q, k) == (0, 1e-3, 1.0, 2.25, 2.0)


def rounded_payload(x, eps, features):
    numbers = []
    q, k = WIDE_AXES[2:]
    for pol in range(2):
        for j in range(NM + 1):
            def integer(iq, ik):
                at = (x, eps, q[iq], k[ik])
                if j == 0:
                    return round(ln_s(pol, at) / (STEP / 8))
                return round(ratio(j - 1, at) / STEP) if 1 < j < kept(iq, ik) + 1 else 0
            rows = [[integer(iq, ik) for ik in range(len(k))] for iq in range(len(q))]
            for row in differences(rows):
                numbers += [2 * v if v >= 0 else -2 * v - 1 for v in row]
    n = 2 * len(q) * len(k)
    code = 200 - 4 * 10  # 2^-10
    out = struct.pack("<3d", STEP, STEP, STEP / 8)
    out += bytes([0x11] * (2 * (NM + 1))).ljust((2 * (NM + 1) + 7) // 8 * 8, b"\0")
    flags = bytes(flagged(pol, x, eps, vq, vk) and features == 7
                  for pol in range(2) for vq in q for vk in k)
    out += flags.ljust((n + 7) // 8 * 8, b"\0")
    out += bytes([code] * n).ljust((n + 7) // 8 * 8, b"\0")
    return out + b"".join(bytes(v >> 8 * byte & 255 for v in numbers) for byte in range(4))


class Predicted:
    """Encoder of encoding 5: predictors are handed out in turn, good or not."""
    TURN = [(0, {}), (1, {0: 4096}), (2, {0: 8192, 3: -4096}), (3, {1: 2048, 2: 2048}),
            (1, {0: 4000, 1: -300, 2: 77, 4: 512, 5: -512}),
            (2, {3: 32767, 0: -32768}), (0, {4: 2900, 6: -1000, 5: 5, 7: 123})]

    def __init__(self):
        self.descriptors, self.streams, self.bits = b"", [bytearray() for _ in range(10)], []
        self.turn = 0

    def symbol(self, e):
        z = 2 * e if e >= 0 else -2 * e - 1
        if z < 128:
            return z
        b = z.bit_length() - 3
        self.bits += [z >> i & 1 for i in range(b)]
        return 128 + 4 * (b - 5) + (z >> b) - 4

    def plane(self, v, rows, v1, v2):
        nk = len(v[0])
        if not any(map(any, v)):
            self.descriptors += b"\4"
            return
        order, taps = self.TURN[self.turn % len(self.TURN)]
        self.turn += 1
        self.descriptors += bytes([order, sum(1 << t for t in taps)])
        self.descriptors += b"".join(struct.pack("<h", taps[t]) for t in sorted(taps))

        def at(plane, q, k):
            return plane[q][k] if 0 <= q and 0 <= k < nk else 0

        above = [0] * nk
        for q, (first, end) in enumerate(rows):
            r = []
            for k in range(first, end):
                near = [at(v, q - 1, k), at(v, q - 1, k + 1), at(v, q - 1, k - 1),
                        at(v, 0 if q == 1 else q - 2, k), at(v1, q, k), at(v1, q - 1, k),
                        at(v2, q, k), at(v2, q - 1, k)]
                p = math.floor((2048 + sum(c * near[t] for t, c in taps.items())) / 4096)
                r.append(v[q][k] - p)
            for t in range(order):
                r = [x - (r[i - 1] if i > t else 0) for i, x in enumerate(r)]
            r = [(x + 2**31) % 2**32 - 2**31 for x in r]
            here = [0] * nk
            for i in range(0, len(r), 4):
                k = first + i
                w = max(above[max(k - 1, 0):k + 5], default=0)
                stream = 9 if w >= 136 else 8 if w >= 128 else w.bit_length()
                for j, x in enumerate(r[i:i + 4]):
                    here[k + j] = self.symbol(x)
                    self.streams[stream].append(here[k + j])
            above = here


def predicted_payload(x, eps, features):
    q, k = WIDE_AXES[2:]
    nq, nk, out = len(q), len(k), Predicted()
    zeros = [[0] * nk for _ in q]
    # number of modes as it is stored: rising along k, then falling
    count = [[min(max(row[:i + 1]), max(row[i:])) for i in range(nk)]
             for row in ([kept(iq, ik) for ik in range(nk)] for iq in range(nq))]
    for j in range(4):
        for pol in range(2):
            def integer(iq, ik):
                if j == 0:
                    return 160 + 9 * iq + ik * ik + pol
                if j == 1:
                    return count[iq][ik] - 1
                return round(ln_s(pol, (x, eps, q[iq], k[ik])) / (STEP / 8)) if j == 2 else 0
            out.plane([[integer(iq, ik) for ik in range(nk)] for iq in range(nq)],
                      [(0, nk)] * nq, zeros, zeros)
    before = [[zeros, zeros], [zeros, zeros]]
    for m in range(1, NM):
        for pol in range(2):
            v = [[round(ratio(m, (x, eps, q[iq], k[ik])) / STEP) if m < kept(iq, ik) else 0
                  for ik in range(nk)] for iq in range(nq)]
            rows = []
            for iq in range(nq):
                more = [ik for ik in range(nk) if count[iq][ik] > m]
                rows.append((more[0], more[-1] + 1) if more else (0, 0))
            out.plane(v, rows, *before[pol])
            before[pol] = [v, before[pol][0]]
    flags = bytes(flagged(pol, x, eps, vq, vk) and features == 7
                  for pol in range(2) for vq in q for vk in k)
    sizes = [len(out.descriptors), *map(len, out.streams), 0]
    bits = sum(bit << i for i, bit in enumerate(out.bits))
    return (struct.pack("<3d12I", STEP, STEP, STEP / 8, *sizes) + flags + out.descriptors
            + b"".join(out.streams) + bits.to_bytes((len(out.bits) + 7) // 8, "little"))


def f32(v):
    return struct.unpack("<f", struct.pack("<f", v))[0]


def records_payload(x, eps, letter):
    q, k = WIDE_AXES[2:]
    out = b""
    for iq, vq in enumerate(q):
        for ik, vk in enumerate(k):
            at = (x, eps, vq, vk)
            a = [f32(ln_s(pol, at)) if letter == "f" else ln_s(pol, at) for pol in range(2)]
            b = [math.expm1(ln_s(pol, at) - a[pol]) for pol in range(2)]
            block = a + b
            modes = kept(iq, ik)
            blocks = 1 + max(0, -(-(modes - 7) // 8))
            for m in range(1, 7 + 8 * (blocks - 1)):
                block += 2 * [ratio(m, at) if m < modes else 0.0]
            out += struct.pack("<%d%s" % (len(block), letter), *block)
    n = 2 * len(q) * len(k)
    return out + struct.pack("<%dd" % n, *n * [2.0 ** -10]) + bytes((n + 7) // 8 * 8)


def build_wide(encoding, features=7, packed=True):
    f = File()
    f.append("axes", struct.pack("<15d", *(v for axis in WIDE_AXES for v in axis)))
    index = b""
    for x in WIDE_AXES[0]:
        for eps in WIDE_AXES[1]:
            raw = (rounded_payload(x, eps, features) if encoding == 2
                   else predicted_payload(x, eps, features) if encoding == 5
                   else records_payload(x, eps, "f" if encoding == 3 else "d"))
            frame = zstd(raw) if packed else raw
            offset, size, crc = f.append("node", frame, 64)
            count = encoding in (2, 5) and (features, x, eps) == (7, 1e-3, 1.0)
            index += struct.pack("<5Q4I8x", offset, size, len(raw), crc, 0, NM, encoding,
                                 packed, count)
    f.append("meta", metadata())
    counts = [kept(iq, ik) for iq in range(len(WIDE_AXES[2])) for ik in range(len(WIDE_AXES[3]))]
    f.append("shape", struct.pack("<60H", *3 * counts))
    f.append("index", index)
    return f.finish(WIDE_AXES, 1 if encoding == 2 else 2, features=features, orders=(4, 3, 4, 4),
                    power=6.0)


def zstd(raw):
    with tempfile.NamedTemporaryFile() as f:
        f.write(raw)
        f.flush()
        return subprocess.run(["zstd", "-q", "-9", "--stdout", f.name], check=True,
                              capture_output=True).stdout


def main():
    assert crc64(b"123456789") == 0x995DC9BBDF1939FA
    folder = pathlib.Path(__file__).resolve().parent.parent / "golden"
    folder.mkdir(exist_ok=True)
    (folder / "lossless.cgct").write_bytes(build(payload(), 0))
    (folder / "lossless_zstd.cgct").write_bytes(build(zstd(payload()), 1))
    (folder / "rounded.cgct").write_bytes(build_wide(5, 3, packed=False))
    (folder / "rounded_zstd.cgct").write_bytes(build_wide(5))
    (folder / "unpacked.cgct").write_bytes(build_wide(3, packed=False))
    (folder / "unpacked_f64.cgct").write_bytes(build_wide(4, packed=False))
    (folder / "differences_1_1.cgct").write_bytes(build_wide(2))


if __name__ == "__main__":
    main()
