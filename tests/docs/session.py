#!/usr/bin/env python3
"""Runs the command lines of a page and compares what they print with what the page says.

usage: session.py PAGE FOLDER

A command is an indented line that begins with "$ "; the indented lines behind it are its output,
standard error included. In these, "..." stands for any text in a line, and a line "..." for any
lines. A paragraph "<!-- not run: WHY -->" in front of an indented block leaves that out. All
commands of a page share FOLDER and run one after the other; a page without a command is an error.
A block without "$ " is no session.
"""
import re
import subprocess
import sys

LIMIT = 300  # seconds for a command


def blocks(lines):
    """Pairs of a line number and the lines of an indented block, those left out not among them."""
    skipped, begin, block = False, 0, []
    for number, line in enumerate(lines + ["."], 1):
        if line.startswith("    "):
            begin = begin if block else number
            block.append(line[4:].rstrip("\n"))
        elif not line.strip() and block:
            block.append("")
        elif line.strip():
            if block and not skipped:
                yield begin, block
            skipped = line.startswith("<!-- not run:") or (skipped and not block)
            block = []


def commands(block):
    """Each command of a block with its lines of output and where it stands in the block."""
    found = []
    for at, line in enumerate(block):
        if line.startswith("$ "):
            found.append((at, line[2:], []))
        elif found and (line or at + 1 < len(block)):
            found[-1][2].append(line)
    for _, _, output in found:
        while output and not output[-1]:
            output.pop()
    return found


def pattern(output):
    parts = []
    for line in output:
        if line.strip() == "...":
            parts.append(r"(?:.*\n)*")
        else:
            parts.append(".*".join(re.escape(p) for p in line.split("...")) + r"\n")
    return "".join(parts)


def main():
    page, folder = sys.argv[1:3]
    with open(page, encoding="utf-8") as file:
        lines = file.readlines()
    ran = failed = 0
    for begin, block in blocks(lines):
        for at, command, output in commands(block):
            ran += 1
            done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, timeout=LIMIT,
                                  stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT, check=False)
            told = done.stdout
            told += "" if not told or told.endswith("\n") else "\n"
            if not re.fullmatch(pattern(output), told):
                failed += 1
                print(f"FAILED: {page}:{begin + at}: $ {command}\n--- says\n" +
                      "\n".join(output) + f"\n--- printed (exit {done.returncode})\n{told}", end="")
    if not ran:
        print(f"FAILED: {page} has no command")
    print(f"{page}: {ran} commands, {failed} failed")
    sys.exit(1 if failed or not ran else 0)


main()
