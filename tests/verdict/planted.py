#!/usr/bin/env python3
"""Plants faults into pictures and says which tolerance of `gpuvm compare` sees which: the table of docs/figures/verdicts.md.

usage: planted.py GPUVM MAKE_AEROGPU MAKE_PSX FOLDER [--check]
"""
import collections
import copy
import os
import random
import re
import subprocess
import sys

PAGE = "docs/figures/verdicts.md"
TOLERANCES = ("exact", "2", "gl", "perceptual")
PICTURES = (("flat", "aerogpu", 12), ("textured", "psx", 30))


class Picture:
    """RGB rows of a PPM, and the colour that most pixels have."""

    def __init__(self, width, height, data):
        self.width, self.height, self.data = width, height, bytearray(data)
        pixels = [bytes(data[i:i + 3]) for i in range(0, len(data), 3)]
        counts = collections.Counter(pixels)
        self.ground = max(sorted(counts), key=counts.get)

    @staticmethod
    def read(path):
        with open(path, "rb") as file:
            text = file.read()
        head = re.match(rb"P6\s+(\d+)\s+(\d+)\s+255\s", text)
        return Picture(int(head[1]), int(head[2]), text[head.end():])

    def write(self, path):
        with open(path, "wb") as file:
            file.write(b"P6\n%d %d\n255\n" % (self.width, self.height) + self.data)

    def at(self, x, y):
        return 3 * (y * self.width + x)

    def drawn(self):
        """Places of pixels that are not of the ground's colour."""
        return [i for i in range(0, len(self.data), 3) if self.data[i:i + 3] != self.ground]

    def box(self, size):
        """The places of the box, of so many pixels a side, in which most is drawn; of equal ones the first."""
        step, best = max(1, size // 2), (-1, 0, 0)
        for y in range(0, self.height - size + 1, step):
            for x in range(0, self.width - size + 1, step):
                count = sum(self.data[self.at(x + i, y + j):self.at(x + i, y + j) + 3] != self.ground
                            for j in range(0, size, 4) for i in range(0, size, 4))
                best = max(best, (count, -y, -x))
        x, y = -best[2], -best[1]
        return [(x + i, y + j, i, j) for j in range(size) for i in range(size)]


def clamp(value):
    return max(0, min(255, int(value)))


def add(picture, places, levels):
    """Away from the nearer end, so that each channel changes by just as much."""
    for i in places:
        for c in range(i, i + 3):
            value = picture.data[c]
            picture.data[c] = value + levels if value + levels <= 255 else value - levels


def some(picture, count):
    return random.Random(1).sample(picture.drawn(), count)


def share(picture, percent):
    return random.Random(2).sample(range(0, len(picture.data), 3), picture.width * picture.height * percent // 100)


def everywhere(picture):
    return range(0, len(picture.data), 3)


def erase(picture, size, keep=lambda i, j: True):
    for x, y, i, j in picture.box(size):
        if keep(i, j):
            at = picture.at(x, y)
            picture.data[at:at + 3] = picture.ground


def tint(picture, size, levels):
    add(picture, [picture.at(x, y) for x, y, _, _ in picture.box(size)], levels)


def remap(picture, source):
    """Each pixel is one of the picture as it was, or the ground where that is outside."""
    old = bytes(picture.data)
    for y in range(picture.height):
        for x in range(picture.width):
            u, v = source(x, y)
            inside = 0 <= u < picture.width and 0 <= v < picture.height
            at = picture.at(x, y)
            picture.data[at:at + 3] = old[picture.at(u, v):picture.at(u, v) + 3] if inside else picture.ground


def values(picture, change):
    table = bytes(clamp(change(v)) for v in range(256))
    picture.data = picture.data.translate(table)


def swap(picture):
    picture.data[0::3], picture.data[2::3] = picture.data[2::3], picture.data[0::3]


def lose(picture):
    picture.data[2::3] = bytes(len(picture.data) // 3)


def noise(picture, places, most):
    rand = random.Random(3)
    for i in places:
        for c in range(i, i + 3):
            picture.data[c] = clamp(picture.data[c] + rand.randint(-most, most))


def blur(picture):
    old = bytes(picture.data)
    for y in range(1, picture.height - 1):
        for x in range(1, picture.width - 1):
            for c in range(3):
                at = picture.at(x, y) + c
                picture.data[at] = sum(old[at + 3 * (i + j * picture.width)] for i in (-1, 0, 1) for j in (-1, 0, 1)) // 9


def row(picture):
    y = picture.box(8)[0][1]
    picture.data[picture.at(0, y):picture.at(0, y + 1)] = picture.ground * picture.width


def column(picture):
    x = picture.box(8)[0][0]
    for y in range(picture.height):
        picture.data[picture.at(x, y):picture.at(x, y) + 3] = picture.ground


def half(picture):
    at = picture.at(0, picture.height // 2)
    picture.data[at:] = picture.ground * ((len(picture.data) - at) // 3)


FAULTS = (
    ("one pixel by 1 level", lambda p: add(p, some(p, 1), 1)),
    ("one pixel by 2 levels", lambda p: add(p, some(p, 1), 2)),
    ("one pixel by 3 levels", lambda p: add(p, some(p, 1), 3)),
    ("one pixel by 100 levels", lambda p: add(p, some(p, 1), 100)),
    ("20 pixels by 3 levels", lambda p: add(p, some(p, 20), 3)),
    ("20 pixels by 100 levels", lambda p: add(p, some(p, 20), 100)),
    ("1 % of the pixels by 100 levels", lambda p: add(p, share(p, 1), 100)),
    ("all pixels by 1 level", lambda p: add(p, everywhere(p), 1)),
    ("all pixels by 2 levels", lambda p: add(p, everywhere(p), 2)),
    ("all pixels by 3 levels", lambda p: add(p, everywhere(p), 3)),
    ("all pixels by 16 levels", lambda p: add(p, everywhere(p), 16)),
    ("noise of up to 4 levels", lambda p: noise(p, everywhere(p), 4)),
    ("noise of up to 40 levels", lambda p: noise(p, everywhere(p), 40)),
    ("an object of 4x4 pixels is missing", lambda p: erase(p, 4)),
    ("an object of 8x8 pixels is missing", lambda p: erase(p, 8)),
    ("an object of 32x32 pixels is missing", lambda p: erase(p, 32)),
    ("half an object of 32x32 pixels is missing", lambda p: erase(p, 32, lambda i, j: i < j)),
    ("an object of 8x8 pixels is 40 levels off", lambda p: tint(p, 8, 40)),
    ("an object of 64x64 pixels is 10 levels off", lambda p: tint(p, 64, 10)),
    ("a row is missing", row),
    ("a column is missing", column),
    ("the lower half is missing", half),
    ("moved by one pixel", lambda p: remap(p, lambda x, y: (x - 1, y))),
    ("moved by four pixels", lambda p: remap(p, lambda x, y: (x - 4, y - 4))),
    ("upside down", lambda p: remap(p, lambda x, y: (x, p.height - 1 - y))),
    ("blurred", blur),
    ("red and blue are swapped", swap),
    ("blue is missing", lose),
    ("gamma 1.05", lambda p: values(p, lambda v: 255 * (v / 255) ** (1 / 1.05) + 0.5)),
    ("gamma 2.2", lambda p: values(p, lambda v: 255 * (v / 255) ** (1 / 2.2) + 0.5)),
)


def draw(gpuvm, makers, folder):
    """The two pictures, as this project replays its own demos."""
    for name, kind, frame in PICTURES:
        capture = os.path.join(folder, name + ".capture")
        subprocess.run([makers[kind], "demo", capture], check=True)
        path = os.path.join(folder, name + ".ppm")
        subprocess.run([gpuvm, "run", capture, "-q", "--screenshots", str(frame), "-o", path], check=True)
        yield name, path


def plant(picture, name, expected, actual):
    for number, (_, fault) in enumerate(FAULTS):
        faulty = copy.deepcopy(picture)
        fault(faulty)
        file = f"{name}_{number:02}.ppm"
        picture.write(os.path.join(expected, file))
        faulty.write(os.path.join(actual, file))


def verdicts(gpuvm, expected, actual):
    """For each tolerance the names of the pictures that fail."""
    found = {}
    for tolerance in TOLERANCES:
        done = subprocess.run([gpuvm, "compare", expected, actual, "--tolerance", tolerance],
                              capture_output=True, text=True, check=False)
        rows = [line.split("\t") for line in done.stdout.splitlines()]
        if done.returncode > 1 or len(rows) != len(FAULTS) * len(PICTURES):
            raise SystemExit(f"compare --tolerance {tolerance}: {done.returncode}: {done.stderr}")
        found[tolerance] = {row[1] for row in rows if row[0] == "fail"}
    return found


def table(found):
    names = [name for name, _, _ in PICTURES]
    lines = ["| fault | " + " | ".join(f"`{t}`" for t in TOLERANCES) + " |", "|---" * (len(TOLERANCES) + 1) + "|"]
    for number, (text, _) in enumerate(FAULTS):
        cells = []
        for tolerance in TOLERANCES:
            seen = [n for n in names if f"{n}_{number:02}.ppm" in found[tolerance]]
            cells.append("seen" if len(seen) == len(names) else "missed" if not seen else f"seen if {seen[0]}")
        lines.append(f"| {text} | " + " | ".join(cells) + " |")
    total = len(FAULTS) * len(PICTURES)
    lines.append(f"| of {total} | " + " | ".join(str(len(found[t])) for t in TOLERANCES) + " |")
    return "\n".join(lines)


def main():
    gpuvm, aerogpu, psx, folder = sys.argv[1:5]
    expected, actual = os.path.join(folder, "expected"), os.path.join(folder, "actual")
    os.makedirs(expected)
    os.makedirs(actual)
    for name, path in draw(gpuvm, {"aerogpu": aerogpu, "psx": psx}, folder):
        plant(Picture.read(path), name, expected, actual)
    fresh = table(verdicts(gpuvm, expected, actual))
    with open(PAGE, encoding="utf-8") as file:
        text = file.read()
    page = re.sub(r"(<!-- planted -->\n\n).*?(\n\n<!-- end -->)", lambda m: m[1] + fresh + m[2], text, flags=re.S)
    if "--check" not in sys.argv:
        with open(PAGE, "w", encoding="utf-8") as file:
            file.write(page)
    elif page != text:
        raise SystemExit(f"{PAGE} says something else:\n{fresh}")


main()
