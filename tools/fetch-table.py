#!/usr/bin/env python3
# What slices fetch, as the table of docs/figures/fetching.md, and whether all of them stay within
# 1.1 times the raw bytes that they need and 64 KiB.
#   tools/fetch-table.py GPUVM CAPTURE...
# Of each capture with more than one frame the last frame and a middle one, by the tables of
# its payload, of the payload's slice (what is needed) and of the thin payload's (which
# groups that is). Needs the program zstd.
import json
import os
import struct
import subprocess
import sys
import tempfile

RESOURCES, ZSTD, DICTIONARY = 7, 1, 2
HEADER, ROW, TRAILER = 32, 40, 64


class Rows:
    """The rows of a RESOURCES segment."""

    def __init__(self, content):
        self.content, self.at = content, 0

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.content[self.at]
            self.at += 1
            value |= (byte & 127) << shift
            shift += 7
            if byte < 128:
                return value

    def group(self):
        codec = self.uleb()
        dictionary = self.uleb() if codec == DICTIONARY else None
        stored = self.uleb()
        name = self.content[self.at:self.at + 16].hex()
        self.at += 16
        sizes = [self.uleb() for _ in range(self.uleb())]
        raw = 0
        for size in sizes:
            raw = (raw + 3 & ~3) + size
        return {"dictionary": dictionary, "stored": stored, "id": name, "raw": raw,
                "needed": sum(sizes)}


def groups(path):
    with open(path, "rb") as file:
        payload = file.read()
    directory, = struct.unpack_from("<Q", payload, len(payload) - TRAILER)
    size, = struct.unpack_from("<Q", payload, directory + 8)
    found = []
    for row in range(directory + HEADER, directory + HEADER + size, ROW):
        kind, flags, _, offset, stored = struct.unpack_from("<HHIQQ", payload, row)
        content = payload[offset + HEADER:offset + HEADER + stored]
        if kind != RESOURCES:
            continue
        if flags & ZSTD:
            content = subprocess.run(["zstd", "-dcq"], input=content, capture_output=True,
                                     check=True).stdout
        rows = Rows(content)
        while rows.at < len(content):
            found.append(rows.group())
    return found


def told(*words):
    return subprocess.run(words, check=True, capture_output=True, text=True).stdout


def measure(gpuvm, capture, folder):
    """(frame, needed, raw, sent, sent of a store's) of each slice."""
    payload, thin, part, store = (os.path.join(folder, n) for n in ("p", "t", "s", "store"))
    told(gpuvm, "compile", capture, "-o", payload)
    frames = json.loads(told(gpuvm, "info", payload, "--json"))["frames"]
    own = groups(payload)
    if frames < 2 or not own:
        return []
    told(gpuvm, "thin", payload, "--store", store, "-o", thin)
    number = {group["id"]: i for i, group in enumerate(own)}
    rows = []
    for frame in sorted({frames - 1, frames // 2}, reverse=True):
        told(gpuvm, "slice", payload, "--frames", str(frame), "-o", part)
        needed = sum(group["needed"] for group in groups(part))
        told(gpuvm, "slice", thin, "--frames", str(frame), "-o", part)
        used = {number[group["id"]] for group in groups(part)}
        objects = sum(os.path.getsize(os.path.join(store, "cas", own[i]["id"][:2],
                                                   own[i]["id"] + ".zst")) for i in used)
        used |= {own[i]["dictionary"] for i in used} - {None}
        rows.append((frame, needed, sum(own[i]["raw"] for i in used),
                     sum(own[i]["stored"] for i in used), objects))
    return rows


def main():
    if len(sys.argv) < 3:
        raise SystemExit("usage: fetch-table.py GPUVM CAPTURE...")
    count, beyond, sums = 0, [], [0, 0, 0, 0]
    print("| capture | frame | needed | times | sent | sent of a store |")
    print("|---|---|---|---|---|---|")
    for capture in sys.argv[2:]:
        with tempfile.TemporaryDirectory() as folder:
            rows = measure(sys.argv[1], capture, folder)
        name = os.path.basename(capture)
        for frame, *bytes_ in rows:
            needed, raw, sent, objects = bytes_
            print("| `%s` | %d | %d | %.1f | %d | %d |" %
                  (name, frame, needed, raw / max(needed, 1), sent, objects))
            count += 1
            sums = [a + b for a, b in zip(sums, bytes_)]
            if max(sent, objects) > 1.1 * needed + 65536:
                beyond.append("%s (%d)" % (name, frame))
    print("\n%d slices: %d needed, %d raw, %d sent, %d of stores" % (count, *sums))
    if beyond:
        raise SystemExit("more than 1.1 times and 64 KiB: " + ", ".join(beyond))


main()
