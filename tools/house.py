#!/usr/bin/env python3
# How the source is laid out, in figures: files per folder, circles of includes, sizes of
# functions and headers, members of the structs that many files hold.
#   tools/house.py [TREE]     default: this one; TREE may be a checkout of another commit
import collections
import os
import re
import statistics
import subprocess
import sys

ROOMS = ("resources", "vm", "compiler", "runtime", "tools", "tests")
MANY_FILES, LONG, MANY_PARAMETERS = 30, 60, 5
CONTEXTS = ("gv_aero", "gv_runtime")
COUNTED = ("compiler/aerogpu", "compiler/lower")


def read_tree(tree):
    listed = subprocess.run(
        ["git", "-C", tree, "ls-files", "*.c", "*.h", "*.def"],
        check=True, capture_output=True, text=True).stdout.split()
    files = {}
    for path in listed:
        if path.split("/")[0] in ROOMS and os.path.exists(os.path.join(tree, path)):
            with open(os.path.join(tree, path), encoding="utf-8") as f:
                files[path] = f.read()
    return files


def folder_of(path):
    return os.path.dirname(path)


def unit_of(path):
    """A .c with its .h is one unit."""
    return os.path.splitext(path)[0]


def includes(text):
    return re.findall(r'^\s*#\s*include\s+"([^"]+)"', text, re.M)


def circles(graph):
    """Strongly connected parts of more than one node (Tarjan), largest first."""
    index, low, stack, on, found = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        on.add(node)
        for other in graph.get(node, ()):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in on:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            part = []
            while not part or part[-1] != node:
                part.append(stack.pop())
                on.discard(part[-1])
            if len(part) > 1:
                found.append(sorted(part))

    for node in sorted(graph):
        if node not in index:
            visit(node)
    return sorted(found, key=len, reverse=True)


def graph_of(files, name):
    graph = collections.defaultdict(set)
    for path, text in files.items():
        if path.startswith("tests/"):
            continue
        for target in includes(text):
            if target in files and name(target) != name(path):
                graph[name(path)].add(name(target))
    return graph


def parameters(signature):
    """How many parameters the last parentheses at depth 0 of a signature list."""
    depth, start, inside = 0, 0, ""
    for at, c in enumerate(signature):
        if c == "(":
            if depth == 0:
                start = at + 1
            depth += 1
        elif c == ")":
            depth -= 1
            if depth == 0 and not inside:
                inside = signature[start:at]
    if inside.strip() in ("", "void"):
        return 0
    depth, count = 0, 1
    for c in inside:
        depth += (c == "(") - (c == ")")
        count += c == "," and depth == 0
    return count


def functions(text):
    """(name, lines, signature) of each: clang-format puts both braces in column 0."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line != "{":
            continue
        first = at
        while first > 0 and lines[first - 1] and lines[first - 1][-1] not in ";}\\" \
                and not lines[first - 1].startswith(("#", "//", "{")):
            first -= 1
        signature = " ".join(lines[first:at])
        name = re.search(r"(\w+)\s*\(", signature)
        if not name or "}" not in lines[at:]:
            continue
        end = lines.index("}", at)
        yield name.group(1), end - first + 1, signature


def members(text, struct):
    """Names of the members of `struct struct {` in `text`."""
    body = re.search(r"^struct %s \{\n(.*?)^\}" % struct, text, re.M | re.S)
    if not body:
        return None
    plain = re.sub(r"//[^\n]*|/\*.*?\*/", "", body.group(1), flags=re.S)
    while "{" in plain:
        plain = re.sub(r"\{[^{}]*\}", " ", plain)
    names = []
    for statement in plain.split(";"):
        for declarator in statement.split(","):
            pointer = re.search(r"\(\s*\*\s*(\w+)\s*\)", declarator)
            found = pointer or re.search(r"(\w+)\s*(?:\[[^]]*\]\s*|:\s*\d+\s*)*$", declarator)
            if found:
                names.append(found.group(1))
    return names


def users(files, struct, names):
    """For each member the .c files that use it through a pointer to the struct."""
    used = {name: set() for name in names}
    for path, text in files.items():
        if path.startswith("tests/") or not path.endswith((".c", ".h")):
            continue
        holders = set(re.findall(r"struct %s \*(?:const )?(\w+)" % struct, text))
        for holder in holders:
            for name in re.findall(r"\b%s->(\w+)" % holder, text):
                if name in used:
                    used[name].add(path)
    return used


def row(what, value):
    print(f"| {what} | {value} |")


def files_per_folder(files):
    count = collections.Counter(folder_of(p) for p in files if p.endswith(".c"))
    shown = ", ".join(f"{f} {n}" for f, n in count.most_common(8))
    over = [f"{f} {n}" for f, n in count.most_common() if n > MANY_FILES]
    row(f"`.c` files: folders of more than {MANY_FILES}", ", ".join(over) or "none")
    row("`.c` files: fullest folders", shown)


def circle_rows(files):
    units = circles(graph_of(files, unit_of))
    row("largest include circles, in units", ", ".join(str(len(c)) for c in units[:5]) or "none")
    if units:
        row("the largest", " ".join(os.path.basename(u) for u in units[0]))
    folders = circles(graph_of(files, folder_of))
    row("folder circles", "; ".join(" ".join(c) for c in folders) or "none")


def function_rows(files):
    every, by_folder = [], collections.defaultdict(list)
    for path, text in files.items():
        if path.endswith((".c", ".h")):
            for name, lines, signature in functions(text):
                every.append((lines, name, path))
                by_folder[folder_of(path)].append(parameters(signature))
    over = sorted((f for f in every if f[0] > LONG), reverse=True)
    row("functions, median lines", f"{len(every)}, {statistics.median(f[0] for f in every):g}")
    row(f"functions over {LONG} lines", f"{len(over)}: " +
        ", ".join(f"{name} {lines}" for lines, name, _ in over))
    shares = []
    for folder, counts in by_folder.items():
        if not folder.startswith("tests"):
            many = sum(c > MANY_PARAMETERS for c in counts)
            shares.append((100 * many / len(counts), many, len(counts), folder))
    shares.sort(reverse=True)
    row(f"functions with over {MANY_PARAMETERS} parameters, per folder",
        ", ".join(f"{folder} {share:.1f} % ({many} of {of})"
                  for share, many, of, folder in shares if many))


def header_rows(files):
    sizes = sorted(((text.count("\n"), path) for path, text in files.items()
                    if path.endswith(".h") and not path.startswith("tests/")), reverse=True)
    row("largest headers, lines", ", ".join(f"{path} {n}" for n, path in sizes[:3]))


def context_rows(files):
    for struct in CONTEXTS:
        for text in files.values():
            names = members(text, struct)
            if names:
                break
        if not names:
            row(f"`struct {struct}`", "is no more")
            continue
        used = users(files, struct, names)
        by_count = collections.Counter(len(u) for u in used.values())
        row(f"`struct {struct}`: members", len(names))
        row(f"`struct {struct}`: members by how many files use them",
            ", ".join(f"{by_count[n]} by {n}" for n in sorted(by_count)))
        held = sum(f"struct {struct} *" in signature for path, text in files.items()
                   if path.endswith((".c", ".h")) for _, _, signature in functions(text))
        row(f"`struct {struct}`: functions that take it", held)


def line_rows(files):
    for folder in COUNTED:
        lines = sum(text.count("\n") for path, text in files.items()
                    if path.startswith(folder + "/") and path.endswith(".c"))
        row(f"lines of `{folder}` in `.c`", lines)


def main():
    tree = sys.argv[1] if len(sys.argv) > 1 else os.path.dirname(os.path.dirname(
        os.path.abspath(__file__)))
    files = read_tree(tree)
    print("| | |\n|---|---|")
    for part in (files_per_folder, circle_rows, function_rows, header_rows, context_rows,
                 line_rows):
        part(files)


main()
