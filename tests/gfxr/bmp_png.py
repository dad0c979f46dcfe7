#!/usr/bin/env python3
"""A picture of gfxrecon-replay (BMP of 32 bits) as PNG: bmp_png.py FROM.bmp TO.png"""

import struct
import sys
import zlib


def chunk(kind, data):
    body = kind + data
    return struct.pack(">I", len(data)) + body + struct.pack(">I", zlib.crc32(body))


bmp = open(sys.argv[1], "rb").read()
(pixels,) = struct.unpack_from("<I", bmp, 10)
width, height = struct.unpack_from("<ii", bmp, 18)
(bits,) = struct.unpack_from("<H", bmp, 28)
assert bits == 32, "a picture of %d bits" % bits
lines = [bmp[pixels + 4 * width * y :][: 4 * width] for y in range(abs(height))]
if height > 0:
    lines.reverse()
rows = b""
for line in lines:
    row = bytearray(b"\xff" * (4 * width))
    row[0::4], row[1::4], row[2::4] = line[2::4], line[1::4], line[0::4]
    rows += b"\0" + bytes(row)
png = b"\x89PNG\r\n\x1a\n"
png += chunk(b"IHDR", struct.pack(">IIBBBBB", width, abs(height), 8, 6, 0, 0, 0))
png += chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")
open(sys.argv[2], "wb").write(png)
