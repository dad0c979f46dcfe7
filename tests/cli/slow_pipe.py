#!/usr/bin/env python3
"""A payload through a slow pipe.

    slow_pipe.py early PAYLOAD OUT     to standard output: slowly what frame 0 needs and a fifth
                                       more; the rest once OUT has a line of frame 0, which is
                                       waited for 30 seconds
    slow_pipe.py cut PAYLOAD N         the bytes before the end of the N-th CODE segment
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


def early(path, out):
    data = open(path, "rb").read()
    first = next(code_ends(data)) * 12 // 10
    assert first < len(data) // 2, "the payload is as good as one frame"
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
    elif what == "cut":
        data = open(rest[0], "rb").read()
        sys.stdout.buffer.write(data[:list(code_ends(data))[int(rest[1]) - 1]])
    else:
        code = subprocess.run(rest, check=False).returncode
        print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss // 1024)
        sys.exit(code)


main()
