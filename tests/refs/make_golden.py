# SPDX-License-Identifier: GPL-3.0-or-later
"""Writes tests/golden/v1_0_stored.cgct and v1_0_zstd.cgct from format/FORMAT.md alone.

    python3 make_golden.py            (needs the program zstd for the second file)

A second implementation of the container: nothing here is taken from format/*.c.  The modes are
powers of two, so that every ratio is exact:
    I_m(pol,iq,ik) = 2^-(3 + pol + iq + 2 ik) (1, 1/4)      error = I_0/1024
except T at (iq,ik) = (1,1), where I = (-1/64, 1/128) and the scale is flagged.
"""
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


def build(frame, compression):
    raw = payload()
    body = bytearray(256)
    parts = {}

    def append(name, data):
        body.extend(bytes(-len(body) % 8))
        parts[name] = struct.pack("<3Q", len(body), len(data), crc64(data))
        body.extend(data)

    append("axes", struct.pack("<6d", *(v for axis in AXES for v in axis)))
    append("node", frame)
    append("meta", metadata())
    offset, size, crc = struct.unpack("<3Q", parts["node"])
    append("index", struct.pack("<5Q3I12x", offset, size, len(raw), crc, crc64(raw), 2, 1,
                                compression))
    head = b"\x89CGCT\r\n\x1a" + struct.pack("<2H5IQ4II4Bd", 1, 0, 256, 1, 1, 0, 0, len(body),
                                              *(len(a) for a in AXES), 2, 4, 4, 4, 4, 0.0)
    head += parts["meta"] + parts["axes"] + parts["index"]
    head += b"golden 1.0".ljust(64, b"\0") + bytes(40)
    assert len(head) == 248
    body[:256] = head + struct.pack("<Q", crc64(head))
    return bytes(body)


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
    (folder / "v1_0_stored.cgct").write_bytes(build(payload(), 0))
    (folder / "v1_0_zstd.cgct").write_bytes(build(zstd(payload()), 1))


if __name__ == "__main__":
    main()
