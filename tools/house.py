#!/usr/bin/env python3
# How the source is laid out, in figures: files per folder, circles of includes, sizes of
# functions and headers, the structs that many functions hold, who uses compiler/lower.
#   tools/house.py [TREE]     prints a table; TREE: this one, or a checkout of another commit
#   tools/house.py --check    prints figures that are worse than LIMITS, and limits that are
#                             looser than the tree; exit 1 if there are any
import collections
import math
import os
import re
import statistics
import subprocess
import sys

ROOMS = ("resources", "vm", "compiler", "runtime", "tools", "tests")
MANY_FILES, LONG, MANY_PARAMETERS, CIRCLE = 30, 60, 5, 3
HELD_BY_FUNCTIONS, HELD_BY_FILES = 100, 20  # a struct that more of them hold is shared
SHARE = 30  # percent of a room's functions that may take one shared struct

# Words that every room speaks, and records that one room writes for others to read: all
# their members are public by intent.
VOCABULARY = ("resources/base/", "resources/", "vm/descs.h", "vm/formats.h", "vm/payload/",
              "compiler/apitrace/trace/", "tools/program.h")

# A ratchet: what stands today. Better is an offence too until its row is lowered, so that
# nothing gets worse again unseen.
#   shared struct: percent of its room's functions that take it, members that one file uses
LIMITS = {
    # Handlers, which a table calls, and what draws take the whole machine of OpenGL.
    "gv_gl: percent of its room's functions": 27,
    "gv_gl_sink: members that one file uses": 1,     # a memory limit
    "gv_gl_objects: members that one file uses": 2,  # each kind has its file
    "gv_gl_drawing: members that one file uses": 26,
    "gv_lower_pass: members that one file uses": 2,
    # each option of a compile has its one place
    "gv_compile_params: members that one file uses": 7,
    "gv_gl: members that one file uses": 6,
    "gv_gl_context: members that one file uses": 6,
    "gv_gl_texture: members that one file uses": 4,
    "gv_runtime: percent of its room's functions": 31,
    "gv_runtime: members that one file uses": 1,
    "gv_vk_commands: members that one file uses": 8,  # commands.c's own
    "gv_vk_device: members that one file uses": 4,
    "gv_vk_image: members that one file uses": 5,
    # What a tracker, an assembler and a builder are: each function changes the one state.
    # each part of the walk keeps its own there
    "gv_walk: members that one file uses": 4,
    "gv_aero: percent of its room's functions": 40,
    "gv_aero: members that one file uses": 3,
    "gv_track: percent of its room's functions": 65,
    "gv_assembler: percent of its room's functions": 65,
    "gv_assembler: members that one file uses": 22,
    "gv_builder: percent of its room's functions": 33,
    "gv_builder: members that one file uses": 17,
    "wgsl: members that one file uses": 16,
    "wgsl_expr: members that one file uses": 2,
    "emitter: members that one file uses": 2,
    "glsl_unit: members that one file uses": 6,
    "gv_json: members that one file uses": 1,  # the writer's comma
    "callers of gv_vm_create": 2,
    "functions of compiler/lower with one user": 44,
}
COUNTED = ("compiler/aerogpu", "compiler/lower")
SYSTEM = ("unistd", "fcntl", "pthread", "poll", "signal", "dirent", "ftw", "glob", "spawn",
          "sched", "search", "regex", "time", "dlfcn", "link", "termios", "sys/\\w+",
          "linux/\\w+")
LOWER = "compiler/lower"


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


def graph_of(files, name, with_tests=False):
    graph = collections.defaultdict(set)
    for path, text in files.items():
        if path.startswith("tests/") and not with_tests:
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
    """For each member the units that use it through a pointer to the struct: one of the
    file's own, or a member of another struct (`m->gl->work`)."""
    used = {name: set() for name in names}
    declared = re.compile(r"struct %s \*(?:const )?(\w+)" % struct)
    within = set()
    for path, text in files.items():
        if path.endswith(".h"):
            within |= set(re.findall(r"^    (?:const )?struct %s \*(\w+);" % struct, text, re.M))
    for path, text in files.items():
        if not is_source(path):
            continue
        found = [r"\b%s->(\w+)" % holder for holder in set(declared.findall(text))]
        found += [r"(?:->|\.)%s->(\w+)" % holder for holder in within]
        for pattern in found:
            for name in re.findall(pattern, text):
                if name in used:
                    used[name].add(unit_of(path))
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


def room_of(path):
    """compiler/gl of compiler/gl/draw/gl_draw.h; a layer's own files are a room too."""
    return "/".join(folder_of(path).split("/")[:2])


def is_source(path):
    return not path.startswith("tests/") and path.endswith((".c", ".h"))


def takes(signature, struct):
    return re.search(r"struct %s \*" % struct, signature)


def shared_structs(files):
    """(struct, home, its functions, its files, share of its room in percent, members,
    those that one file uses) of each that many hold, most held first."""
    held, held_by, per_room, homes = (collections.defaultdict(list),
                                      collections.defaultdict(set), collections.Counter(), {})
    for path, text in files.items():
        if not is_source(path):
            continue
        for struct in re.findall(r"^struct (\w+) \{", text, re.M):
            homes.setdefault(struct, path)
        for _, _, signature in functions(text):
            per_room[room_of(path)] += 1
            for struct in set(re.findall(r"struct (\w+) \*", signature)):
                held[struct].append(path)
        if path.endswith(".c"):
            for struct in set(re.findall(r"struct (\w+) \*", text)):
                held_by[struct].add(path)
    for struct in sorted(held, key=lambda s: (-len(held[s]), s)):
        count, by = len(held[struct]), len(held_by[struct])
        if struct not in homes or count <= HELD_BY_FUNCTIONS and by <= HELD_BY_FILES:
            continue
        home = homes[struct]
        room = room_of(home)
        share = 100 * sum(room_of(p) == room for p in held[struct]) / per_room[room] \
            if per_room[room] else 0
        names = members(files[home], struct)
        alone = sorted(n for n, used in users(files, struct, names).items() if len(used) == 1)
        yield struct, home, count, by, share, len(names), alone


def shared_rows(files):
    for struct, home, count, by, share, size, alone in shared_structs(files):
        row(f"`struct {struct}` ({home})",
            f"{count} functions, {by} files, {share:.0f} % of {room_of(home)}; {size} members" +
            ("" if home.startswith(VOCABULARY) else
             f", {len(alone)} of one file" + (f": {' '.join(alone)}" if alone else "")))


def makers(files):
    """Files but the machine's own that make a VM."""
    return sorted(path for path, text in files.items()
                  if is_source(path) and path.endswith(".c") and "gv_vm_create(" in text
                  and not re.search(r"^struct gv_vm \*gv_vm_create\(", text, re.M))


def lower_functions(files):
    """For each function that compiler/lower declares for others, the rooms that call it."""
    used = {}
    for path, text in files.items():
        if folder_of(path) == LOWER and path.endswith(".h"):
            for name in re.findall(r"^(?:\w+ )*\*?(gv_\w+)\([^;{]*\)[;\n]", text, re.M):
                used.setdefault(name, set())
    for path, text in files.items():
        room = room_of(path)
        if room.startswith("compiler/") and room != LOWER and path.endswith((".c", ".h")):
            for name in set(re.findall(r"\b(gv_\w+)\b", text)) & used.keys():
                used[name].add(room)
    return used


def lower_rows(files):
    used = lower_functions(files)
    by = collections.defaultdict(list)
    for name, rooms in used.items():
        by[tuple(sorted(rooms))].append(name)
    row(f"functions of `{LOWER}`", len(used))
    for rooms, names in sorted(by.items()):
        row(f"`{LOWER}`: used by " + (" and ".join(rooms) or "itself alone"),
            f"{len(names)}" + (": " + " ".join(sorted(names)) if len(rooms) < 2 else ""))


def system_users(files):
    """Files that include a header of the system's that is no header of C."""
    pattern = re.compile(r"^\s*#\s*include\s+<(?:%s)\.h>" % "|".join(SYSTEM), re.M)
    return sorted(p for p, text in files.items() if is_source(p) and pattern.search(text))


def system_rows(files):
    by = collections.Counter(room_of(p) for p in system_users(files))
    row("files that include headers of POSIX or Linux",
        f"{sum(by.values())}: " + ", ".join(f"{room} {n}" for room, n in by.most_common()))


def maker_rows(files):
    row("callers of `gv_vm_create` but tests", ", ".join(makers(files)))


def line_rows(files):
    for folder in COUNTED:
        lines = sum(text.count("\n") for path, text in files.items()
                    if path.startswith(folder + "/") and path.endswith(".c"))
        row(f"lines of `{folder}` in `.c`", lines)


def measured(files):
    """Every figure that LIMITS may name, and what it is without a row there: its limit."""
    figures = {}
    for struct, home, _, _, share, _, alone in shared_structs(files):
        if not home.startswith(VOCABULARY):
            figures[f"{struct}: percent of its room's functions"] = (math.ceil(share), SHARE)
            figures[f"{struct}: members that one file uses"] = (len(alone), 0)
    figures["callers of gv_vm_create"] = (len(makers(files)), 1)
    figures["functions of compiler/lower with one user"] = (
        sum(len(rooms) < 2 for rooms in lower_functions(files).values()), 0)
    figures[f"functions over {LONG} lines"] = (
        sum(lines > LONG for path, text in files.items() if path.endswith((".c", ".h"))
            for _, lines, _ in functions(text)), 0)
    count = collections.Counter(folder_of(p) for p in files if p.endswith(".c"))
    figures[f"folders of more than {MANY_FILES} .c files"] = (
        sum(n > MANY_FILES for n in count.values()), 0)
    figures[f"include circles of more than {CIRCLE} units"] = (
        sum(len(c) > CIRCLE for c in circles(graph_of(files, unit_of, True))), 0)
    figures["circles of folders"] = (len(circles(graph_of(files, folder_of, True))), 0)
    return figures


def check(files):
    offences = []
    figures = measured(files)
    for name, (value, limit) in figures.items():
        stands = LIMITS.get(name, limit)
        # A function more or less moves a share: one percent is not news.
        slack = 1 if "percent" in name else 0
        if value > stands + slack:
            offences.append(f"{name}: {value}, at most {stands} (tools/house.py says which)")
        elif name in LIMITS and value < stands - slack:
            offences.append(f"{name}: {value} is better than LIMITS of tools/house.py says: {stands}")
    offences += [f"LIMITS of tools/house.py: no figure is named {name}"
                 for name in LIMITS if name not in figures]
    print("\n".join(offences), end="\n" if offences else "")
    return bool(offences)


def main():
    given = [a for a in sys.argv[1:] if a != "--check"]
    tree = given[0] if given else os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    files = read_tree(tree)
    if "--check" in sys.argv:
        sys.exit(check(files))
    print("| | |\n|---|---|")
    for part in (files_per_folder, circle_rows, function_rows, header_rows, shared_rows,
                 maker_rows, system_rows, lower_rows, line_rows):
        part(files)


main()
