#!/usr/bin/env python3
# What slices of last frames keep, as the table of docs/figures/slices.md.
#   tools/slice-table.py GPUVM SLICE_FRAMES CAPTURE...
# SLICE_FRAMES is build/tests/corpus/slice_frames, which compares pictures on the way.
# Captures of one frame are left out: all that came before is that frame.
import os
import re
import subprocess
import sys
import tempfile

LINE = re.compile(
    r"(\d+) bytes of (\d+) whole ([\d.]+) s calls (\d+)/(\d+) work (\d+)/(\d+) "
    r"bytes (\d+)/(\d+) slice ([\d.]+) s run ([\d.]+) s(?: whole: (.*?))?(?: chain: (.*))?$")


def frames_of(gpuvm, payload):
    told = subprocess.run([gpuvm, "info", payload], check=True, capture_output=True, text=True)
    return int(re.search(r"^frames +(\d+)$", told.stdout, re.M)[1])


def measure(gpuvm, slice_frames, capture, payload):
    """A row, None for a capture of one frame."""
    subprocess.run([gpuvm, "compile", capture, "-o", payload], check=True, capture_output=True)
    frames = frames_of(gpuvm, payload)
    if frames < 2:
        return None
    told = subprocess.run([slice_frames, payload, str(1 << 30)], capture_output=True, text=True)
    found = LINE.search(told.stdout.strip().split("\n")[-1])
    if told.returncode or not found:
        raise SystemExit("%s: %s" % (capture, told.stdout + told.stderr))
    return [os.path.basename(capture), frames] + list(found.groups())


def printed(row):
    (name, frames, size, size_all, whole_s, calls, calls_all, work, work_all,
     code, code_all, slice_s, run_s, opaque, chain) = row
    return [name, str(frames), "%s of %s" % (calls, calls_all), "%s of %s" % (work, work_all),
            "%s of %s" % (code, code_all), "%.1f of %.1f" % (int(size) / 1e3, int(size_all) / 1e3),
            "%.2f" % (float(slice_s) * 1e3),
            "%.0f of %.0f" % (float(run_s) * 1e3, float(whole_s) * 1e3),
            opaque or (chain or "").replace("<-", "for")]


def main():
    if len(sys.argv) < 4:
        raise SystemExit("usage: slice-table.py GPUVM SLICE_FRAMES CAPTURE...")
    gpuvm, slice_frames, captures = sys.argv[1], sys.argv[2], sys.argv[3:]
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for capture in captures:
            row = measure(gpuvm, slice_frames, capture, os.path.join(folder, "payload"))
            if row:
                rows.append(row)
    print("| capture | frames | calls | work | bytes of code | KB of payload | ms to slice "
          "| ms to run | over 90 % of the work: first work, for what |")
    print("|---|---|---|---|---|---|---|---|---|")
    for row in rows:
        print("| " + " | ".join(printed(row)) + " |")
    work = [(int(r[7]), int(r[8])) for r in rows if int(r[8])]
    print("\n%d captures; work %d of %d; over 90 %% in %d of them" % (
        len(rows), sum(k for k, _ in work), sum(t for _, t in work),
        sum(k * 10 > t * 9 for k, t in work)))


main()
