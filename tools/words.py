#!/usr/bin/env python3
"""How the words of this tree read, in figures: pages (README, docs, tests/README.md) and comments of C.

    tools/words.py            a row per page, a row per layer
    tools/words.py --check    exits 1 and names the pages that pass a limit

Columns for pages: words; words per sentence, median and ninth decile; per 1,000 words: "what" (a clause where a
noun would do), "you", semicolons; examples ("for example" and the like, and blocks of commands).
For comments: words; per 1,000: "what", and words that give a reason (because, since, so that, otherwise).
Generated tables (between "<!-- NAME -->" and "<!-- end -->") are no prose.
"""
import os
import re
import statistics
import subprocess
import sys

WHAT_LIMIT = 3.0  # per 1,000 words
DECILE_LIMIT = 26  # words of a sentence
GENERATED = {"docs/files.md"}
LAYERS = ("resources", "vm", "compiler", "runtime", "tools", "tests")


def prose(text):
    """The text without code, tables, headings and links."""
    text = re.sub(r"<!-- (?!end)[\w ]+ -->.*?<!-- end -->", "", text, flags=re.S)
    text = re.sub(r"<!--.*?-->", "", text, flags=re.S)
    text = re.sub(r"```.*?```", "", text, flags=re.S)
    for line in (r"^\s*\|.*$", r"^#.*$", r"^ {4}.*$"):
        text = re.sub(line, "", text, flags=re.M)
    text = re.sub(r"!?\[([^\]]*)\]\([^)]*\)", r"\1", text)
    return re.sub(r"`[^`]*`", "X", text)


def sentences(text):
    parts = re.split(r"\n\s*\n|\n\s*[-*] |\n\d+\. ", text)
    found = [s for p in parts for s in re.split(r"(?<=[.?!])\s+", p.strip())]
    return [s for s in found if len(s.split()) > 2]


def words_of(text):
    return [w.lower() for w in re.findall(r"[A-Za-z']+", text)]


def per_thousand(words, *which):
    return 1000 * sum(words.count(w) for w in which) / max(1, len(words))


def decile(text):
    lengths = sorted(len(s.split()) for s in sentences(text)) or [0]
    return lengths[int(len(lengths) * .9)]


def comments(text):
    blocks = re.findall(r"(?:^[ \t]*//[^\n]*\n)+", text, re.M) + re.findall(r"/\*.*?\*/", text, re.S)
    return "\n\n".join(re.sub(r"[ \t]*//|/\*+|\*/|^\s*\*", "", b, flags=re.M) for b in blocks)


def listed():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    told = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], check=True,
                          capture_output=True, text=True).stdout.split("\n")
    return [name for name in told if os.path.isfile(name)]


def read(name):
    with open(name, encoding="utf-8", errors="replace") as file:
        return file.read()


def pages(files):
    return sorted(f for f in files if f in ("README.md", "tests/README.md") or re.fullmatch(r"docs/.+\.md", f))


def show(files):
    print(f"{'page':30} {'words':>6} {'median':>6} {'p90':>4} {'what':>5} {'you':>5} {';':>5} {'examples':>8}")
    for page in pages(files):
        raw = read(page)
        text = prose(raw)
        words = words_of(text)
        lengths = [len(s.split()) for s in sentences(text)] or [0]
        examples = len(re.findall(r"\b(for example|e\.g\.|for instance|such as)\b", text, re.I))
        examples += len(re.findall(r"(?:^ {4}\S.*\n)+|```", raw, re.M))
        print(f"{page:30} {len(words):6} {statistics.median(lengths):6.0f} {decile(text):4} "
              f"{per_thousand(words, 'what'):5.1f} {per_thousand(words, 'you', 'your'):5.1f} "
              f"{1000 * text.count(';') / max(1, len(words)):5.1f} {examples:8}")
    print(f"\n{'comments of':30} {'words':>6} {'what':>5} {'reasons':>7}")
    for layer in LAYERS:
        text = "\n\n".join(comments(read(f)) for f in files if f.startswith(layer + "/") and f.endswith((".c", ".h")))
        words = words_of(text)
        reasons = len(re.findall(r"\b(because|since|so that|otherwise|or else)\b", text, re.I))
        print(f"{layer:30} {len(words):6} {per_thousand(words, 'what'):5.1f} {1000 * reasons / max(1, len(words)):7.1f}")


def check(files):
    bad = False
    for page in pages(files):
        if page in GENERATED:
            continue
        text = prose(read(page))
        what, long = per_thousand(words_of(text), "what"), decile(text)
        if what > WHAT_LIMIT or long > DECILE_LIMIT:
            bad = True
            print(f"{page}: {what:.1f} \"what\" per 1,000 words (limit {WHAT_LIMIT:.0f}), "
                  f"one sentence in ten has {long} words or more (limit {DECILE_LIMIT})")
    sys.exit(1 if bad else 0)


if __name__ == "__main__":
    (check if "--check" in sys.argv else show)(listed())
