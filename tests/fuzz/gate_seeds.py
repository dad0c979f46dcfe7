#!/usr/bin/env python3
"""Good inputs of a gate for mutants: PNG of every kind, PNM of every kind, golden files.  gate_seeds.py FOLDER"""
import os
import struct
import sys
import zlib

WIDTH, HEIGHT = 9, 7
PASSES = [(0, 0, 8, 8), (4, 0, 8, 8), (0, 4, 4, 8), (2, 0, 4, 4), (0, 2, 2, 4), (1, 0, 2, 2), (0, 1, 1, 2)]
SAMPLES = {0: 1, 2: 3, 3: 1, 4: 2, 6: 4}
DEPTHS = {0: (1, 2, 4, 8), 2: (8,), 3: (1, 2, 4, 8), 4: (8,), 6: (8,)}


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def rows(width, height, bits):
    size = (width * bits + 7) // 8
    return b"".join(bytes([y % 5]) + bytes((x * 37 + y * 11) % 256 for x in range(size)) for y in range(height))


def png(color, depth, interlaced):
    bits = SAMPLES[color] * depth
    data = rows(WIDTH, HEIGHT, bits)
    if interlaced:
        data = b"".join(rows((WIDTH - x + dx - 1) // dx, (HEIGHT - y + dy - 1) // dy, bits)
                        for x, y, dx, dy in PASSES if WIDTH > x and HEIGHT > y)
    file = b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", WIDTH, HEIGHT, depth, color, 0, 0, interlaced))
    if color == 3:
        file += chunk(b"PLTE", bytes(i % 256 for i in range(3 << depth))) + chunk(b"tRNS", bytes([0, 128]))
    if color == 0 and not interlaced:
        file += chunk(b"tRNS", b"\0\1")
    return file + chunk(b"IDAT", zlib.compress(data)) + chunk(b"IEND", b"")


def put(folder, name, data):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)


def main():
    folder = sys.argv[1]
    for color, depths in DEPTHS.items():
        for depth in depths:
            for interlaced in 0, 1:
                put(folder, f"c{color}_d{depth}_i{interlaced}.png", png(color, depth, interlaced))
    size = b"%d %d" % (WIDTH, HEIGHT)
    count = WIDTH * HEIGHT
    put(folder, "p1.pnm", b"P1\n# bits\n" + size + b"\n" + b"0 1 " * (count // 2) + b"1\n")
    put(folder, "p2.pnm", b"P2 " + size + b" 15\n" + b" ".join(b"%d" % (i % 16) for i in range(count)) + b"\n")
    put(folder, "p3.pnm", b"P3 " + size + b" 255\n" + b" ".join(b"%d" % (i % 256) for i in range(3 * count)) + b"\n")
    put(folder, "p4.pnm", b"P4 " + size + b"\n" + bytes(2 * HEIGHT))
    put(folder, "p5.pnm", b"P5 " + size + b" 255\n" + bytes(range(count)))
    put(folder, "p6.pnm", b"P6 " + size + b" 255\n" + bytes(i % 256 for i in range(3 * count)))
    put(folder, "p7.pnm", b"P7\nWIDTH %d\nHEIGHT %d\nDEPTH 4\nMAXVAL 255\nTUPLTYPE RGB_ALPHA\nENDHDR\n" % (WIDTH, HEIGHT) +
        bytes(i % 256 for i in range(4 * count)))
    put(folder, "plain.tsv", b"".join(b"frame\t%d\t64x64\tsha256-rgba:%064x\n" % (i, i * 7) for i in range(6)) +
        b"frame\tend\t-\tmd5-rgb:%032x\n" % 5)
    put(folder, "words.tsv", b"\xef\xbb\xbf# a comment\r\n\nframes 0-9/3,last\ntolerance perceptual:0.05,0.3\nmask masks/sky.png\n"
        b"known-fail the driver rounds\nframe 3 - %040x # FifoCI\nframe 3 - %032x\nframe 4 none none\n" % (9, 8))
    put(folder, "levels.tsv", b"tolerance 2,0.5,2\nframe 0 320x240 xxh3-rgba:%032x\n" % 1)


main()
