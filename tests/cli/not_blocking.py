#!/usr/bin/env python3
"""Runs a command whose streams do not block, as node, ssh and expect leave them.
not_blocking.py pipe|socket INPUT OUTPUT COMMAND...: INPUT comes in pieces with pauses between,
what is written goes to OUTPUT and is read after a while. Ends with the command's exit code."""
import os
import socket
import subprocess
import sys
import threading
import time


def pair(kind):
    """Two ends: to read, to write."""
    if kind == "pipe":
        return os.pipe()
    a, b = socket.socketpair()
    return a.detach(), b.detach()


def feed(to, path):
    with open(path, "rb") as f:
        data = f.read()
    step = max(len(data) // 4, 3)
    try:
        for at in range(0, len(data), step):
            time.sleep(0.1)
            piece = memoryview(data)[at:at + step]
            while piece:
                piece = piece[os.write(to, piece):]
    except BrokenPipeError:
        pass
    os.close(to)


def keep(ours, path):
    time.sleep(0.5)
    with open(path, "wb") as f:
        while True:
            some = os.read(ours, 65536)
            if not some:
                return
            f.write(some)


def main():
    kind, given, kept = sys.argv[1:4]
    in_read, in_write = pair(kind)
    out_read, out_write = pair(kind)
    for fd in in_read, out_write:
        os.set_blocking(fd, False)
    run = subprocess.Popen(sys.argv[4:], stdin=in_read, stdout=out_write)
    os.close(in_read)
    os.close(out_write)
    feeder = threading.Thread(target=feed, args=(in_write, given), daemon=True)
    keeper = threading.Thread(target=keep, args=(out_read, kept))
    feeder.start()
    keeper.start()
    code = run.wait()
    keeper.join()
    return code


sys.exit(main())
