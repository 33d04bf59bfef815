#!/usr/bin/env python3
"""Writes an 8-bit RGB or RGBA PNG anew with a palette of at most 256 colours: shrink_png.py IN OUT.

For pictures of pages, whose colours are few: the most frequent ones stay, the others become the nearest of them.
"""
import struct
import sys
import zlib
from collections import Counter


def chunks(data):
    at = 8
    while at < len(data):
        (size,) = struct.unpack(">I", data[at : at + 4])
        yield data[at + 4 : at + 8], data[at + 8 : at + 8 + size]
        at += 12 + size


def unfiltered(raw, width, height, depth):
    """Rows of bytes without PNG's line filters (PNG specification, section 9)."""
    rows = []
    before = bytearray(width * depth)
    at = 0
    for _ in range(height):
        kind = raw[at]
        row = bytearray(raw[at + 1 : at + 1 + width * depth])
        at += 1 + width * depth
        for i in range(len(row)):
            left = row[i - depth] if i >= depth else 0
            up = before[i]
            corner = before[i - depth] if i >= depth else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        rows.append(row)
        before = row
    return rows


def main():
    with open(sys.argv[1], "rb") as file:
        data = file.read()
    parts = list(chunks(data))
    width, height, bits, colour = struct.unpack(">IIBB", parts[0][1][:10])
    if bits != 8 or colour not in (2, 6):
        sys.exit(f"{sys.argv[1]}: not 8-bit RGB or RGBA")
    depth = 3 if colour == 2 else 4
    rows = unfiltered(zlib.decompress(b"".join(d for k, d in parts if k == b"IDAT")), width, height, depth)
    pixels = [[bytes(row[i : i + 3]) for i in range(0, len(row), depth)] for row in rows]
    counts = Counter(p for row in pixels for p in row)
    palette = [c for c, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))[:256]]
    index = {c: i for i, c in enumerate(palette)}
    for c in counts:
        if c not in index:
            index[c] = min(range(len(palette)), key=lambda i: sum((a - b) ** 2 for a, b in zip(palette[i], c)))
    packed = zlib.compress(b"".join(b"\0" + bytes(index[p] for p in row) for row in pixels), 9)

    def chunk(kind, content):
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    with open(sys.argv[2], "wb") as file:
        file.write(
            b"\x89PNG\r\n\x1a\n"
            + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0))
            + chunk(b"PLTE", b"".join(palette))
            + chunk(b"IDAT", packed)
            + chunk(b"IEND", b"")
        )


main()
