#!/usr/bin/env python3
"""A payload or a capture through a slow pipe.

    slow_pipe.py early PAYLOAD OUT     to standard output: slowly what frame 0 needs and a fifth
                                       more; the rest once OUT has a line of frame 0, which is
                                       waited for 30 seconds
    slow_pipe.py cut PAYLOAD N         the bytes before the end of the N-th CODE segment
    slow_pipe.py pieces CAPTURE        all of it, in pieces of any size
    slow_pipe.py first CAPTURE OUT     as early does, of an AeroGPU trace or a PlayStation dump
    slow_pipe.py prologue DUMP N       with a VSync, N bytes and a begin of the trace in front
    slow_pipe.py toc TRACE             with a last frame that ends before its work does
    slow_pipe.py repeat DUMP N         its packets N times
    slow_pipe.py endless DUMP          for ever
    slow_pipe.py memory COMMAND...     runs it, its input passed on; prints the most that one
                                       process had resident, in MiB
"""
import os
import resource
import struct
import subprocess
import sys
import time

CODE = 13
PIECE, PAUSE = 4096, 0.01


def code_ends(data):
    """Where CODE segments end (docs/payload.md)."""
    at = 64
    while at + 32 <= len(data):
        kind, _, _, size = struct.unpack_from("<HHIQ", data, at)
        if kind == CODE:
            yield at + 32 + size
        if kind == 16:
            return
        at = (at + 32 + size + 63) // 64 * 64


def psx_packets(data):
    """Where packets begin, their type, and where they end."""
    at = 16
    while at + 4 <= len(data):
        word, = struct.unpack_from("<I", data, at)
        end = at + 4 + (word & 0xffffff) * 4
        yield at, word >> 24, end
        at = end


def aerogpu_records(data):
    """Likewise, of an AeroGPU trace."""
    at = 32 + struct.unpack_from("<I", data, 24)[0]
    while data[at:at + 7] != b"AEROTOC":
        end = at + 8 + struct.unpack_from("<I", data, at + 4)[0]
        yield at, data[at], end
        at = end


def first_frame(data):
    """Where the first frame ends."""
    if data.startswith(b"AEROGPUT"):
        return next(end for _, kind, end in aerogpu_records(data) if kind == 2)
    live = False
    for _, kind, end in psx_packets(data):
        live = live or kind == 5
        if live and kind == 2:
            return end


def pieces(path):
    data, at, size = open(path, "rb").read(), 0, 1
    while at < len(data):
        os.write(1, data[at:at + size])
        at += size
        size = size * 7 % 8191 + at % 13


def endless(data, times):
    try:
        os.write(1, data[:16])
        while times:
            sys.stdout.buffer.write(data[16:])
            times -= 1
        sys.stdout.buffer.flush()
    except BrokenPipeError:
        os._exit(0)


def toc(path):
    data = bytearray(open(path, "rb").read())
    at, = struct.unpack_from("<Q", data, len(data) - 16)
    last = at + 16 + 32 * (struct.unpack_from("<I", data, at + 12)[0] - 1)
    start, = struct.unpack_from("<Q", data, last + 8)
    struct.pack_into("<QQ", data, last + 16, 0, start + 12)
    sys.stdout.buffer.write(data)


def early(path, out, end=lambda data: next(code_ends(data))):
    data = open(path, "rb").read()
    first = end(data) * 12 // 10
    assert first < len(data) // 2, "it is as good as one frame"
    for at in range(0, first, PIECE):
        os.write(1, data[at:min(at + PIECE, first)])
        time.sleep(PAUSE)
    for _ in range(300):
        if b"frame\t0\t" in open(out, "rb").read():
            break
        time.sleep(0.1)
    else:
        sys.exit(f"no frame 0 after {first} of {len(data)} bytes")
    sys.stdout.buffer.write(data[first:])


def main():
    what, rest = sys.argv[1], sys.argv[2:]
    if what == "early":
        early(*rest)
    elif what == "first":
        early(*rest, first_frame)
    elif what == "pieces":
        pieces(*rest)
    elif what == "prologue":
        data = open(rest[0], "rb").read()
        words = int(rest[1]) // 4
        begin = struct.pack("<II", 2 << 24, 0x12 << 24 | words) + bytes(words * 4)
        begin += struct.pack("<I", 5 << 24)
        sys.stdout.buffer.write(data[:16] + begin + data[16:])
    elif what == "toc":
        toc(*rest)
    elif what in ("repeat", "endless"):
        endless(open(rest[0], "rb").read(), int(rest[1]) if rest[1:] else -1)
    elif what == "cut":
        data = open(rest[0], "rb").read()
        sys.stdout.buffer.write(data[:list(code_ends(data))[int(rest[1]) - 1]])
    else:
        code = subprocess.run(rest, check=False).returncode
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
        sys.exit(code)


main()
