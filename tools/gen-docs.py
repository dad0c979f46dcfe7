#!/usr/bin/env python3
"""Brings the tables in docs/machine.md, calls.md, payload.md, slicing.md and opengl/coverage.md up to the .def files.

    tools/gen-docs.py           rewrites what stands between the markers
    tools/gen-docs.py --check   exits 1 and names the files that are out of date
"""
import os
import re
import sys

FILES = ["docs/machine.md", "docs/calls.md", "docs/payload.md", "docs/slicing.md",
         "docs/opengl/coverage.md"]
STRING = r'"((?:[^"\\]|\\.)*)"'


def rows(path, macro):
    """The rows of one macro in a .def file, as lists of strings."""
    found = []
    for line in open(path, encoding="utf-8"):
        match = re.match(macro + r"\((.*)\)\s*(//.*)?$", line)
        if match:
            text = re.search(STRING, match[1])
            head = match[1][:text.start()] if text else match[1]
            found.append([f.strip() for f in head.split(",") if f.strip()]
                         + ([text[1]] if text else []))
    return found


def table(head, body):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return lines + ["| " + " | ".join(c.replace("|", "\\|") for c in row) + " |"
                    for row in body]


def ops():
    return table(["instruction", "code", "operand", "pops", "pushes", "effect"],
                 [["`%s`" % r[0], r[1], r[3]] + r[5:] for r in rows("vm/ops.def", "GV_OP")])


def rules():
    body = []
    for line in open("vm/rules.def", encoding="utf-8"):
        match = re.match(r"GV_RULE\(\w+, %s, %s\)" % (STRING, STRING), line)
        if match:
            body.append(["`%s`" % match[1], match[2]])
    return table(["rule", "what must hold"], body)


def segments():
    body = []
    for line in open("vm/segments.def", encoding="utf-8"):
        match = re.match(r"GV_(?:LAST_)?SEGMENT\((\w+), (\d+), .*%s, %s\)$" % (STRING, STRING), line)
        if match:
            body.append([match[2], match[1], match[3], match[4]])
    return table(["kind", "name", "repeats", "content"], body)


def calls():
    lines = []
    for line in open("vm/calls.def", encoding="utf-8"):
        section = re.match(r"// ---- (.*) ----", line)
        call = re.match(r"GV_CALL\((\w+), (\w+), (\w+), (\w+), (\w+), %s\)" % STRING, line)
        arg = re.match(r"GV_ARG\((\w+), (\w+), (\w+), (\w+)\)", line)
        if section:
            lines += ["", "### " + section[1][0].upper() + section[1][1:], ""]
        elif call:
            result = "" if call[3] == "NONE" else " -> " + call[3]
            effects = ["%s %s" % (verb, state) for verb, state
                       in (("sets", call[4]), ("reads", call[5])) if state != "0"]
            tail = " (%s)" % ", ".join(effects) if effects else ""
            lines.append("- **%s** `%s`%s: %s%s" % (call[1], call[2], result, call[6], tail))
            arguments = []
        elif arg:
            of = "" if arg[3] == "NONE" else ":" + arg[3]
            role = "" if arg[4] == "VALUE" else " " + arg[4]
            arguments.append("`%s` %s%s%s" % (arg[1], arg[2], of, role))
        elif line.startswith("GV_CALL_END") and arguments:
            lines.append("  " + "; ".join(arguments))
    return lines


def enums():
    body, names = [], []
    for line in open("vm/enums.def", encoding="utf-8"):
        value = re.match(r"GV_VALUE\((\w+), (\w+), (\w+)\)", line)
        begin = re.match(r"GV_(ENUM|FLAGS)\((\w+)\)", line)
        if begin:
            kind, names = begin[1].lower(), []
        elif value:
            names.append("%s %s" % (value[2], value[3]))
        elif line.startswith("GV_ENUM_END"):
            name = re.search(r"\((\w+)\)", line)[1]
            body.append(["`%s`" % name, kind, ", ".join(names)])
    return table(["name", "", "values"], body)


def effects():
    return table(["call, instruction", "what it does"],
                 [["`%s`" % r[0], r[-1]] for macro in ("GV_CALL_EFFECTS", "GV_OP_EFFECTS")
                  for r in rows("vm/effects.def", macro)])


def limit(name):
    """The number that a constant of the compiler stands for, as its header has it."""
    for folder, _, files in sorted(os.walk("compiler")):
        for file in files:
            found = file.endswith(".h") and re.search(
                r"#define %s \(?(\d+)u?(?: << (\d+))?" % name, open(os.path.join(folder, file), encoding="utf-8").read())
            if found:
                return str(int(found[1]) << int(found[2] or 0))
    raise SystemExit("no header defines " + name)


def unsupported():
    body = []
    for line in open("compiler/gl/base/unsupported.def", encoding="utf-8"):
        match = re.match(r"LACK\((\w+), (NULL|%s), (NULL|%s), (?:\(unsigned\))?(\w+)\)" % (STRING, STRING), line)
        if match:
            detail = "`%s`" % match[3] if match[3] else "the enumerant" if match[1] == "VALUE" else ""
            why = match[5] or ("" if match[1] == "VALUE" else "the whole function")
            body.append([detail, why.replace("%u", limit(match[6])) if "%u" in why else why])
    return table(["detail", "why"], body)


TABLES = {"ops": ops, "rules": rules, "calls": calls, "segments": segments, "enums": enums,
          "effects": effects, "unsupported": unsupported}


def current(text):
    def fill(match):
        return "\n".join([match[1], ""] + TABLES[match[2]]() + ["", match[3]])
    return re.sub(r"(<!-- table (\w+) -->)\n.*?(<!-- end -->)", fill, text, flags=re.S)


def main():
    stale = []
    for path in FILES:
        text = open(path, encoding="utf-8").read()
        fresh = current(text)
        if fresh == text:
            continue
        stale.append(path)
        if "--check" not in sys.argv:
            open(path, "w", encoding="utf-8").write(fresh)
    if "--check" in sys.argv and stale:
        raise SystemExit("out of date, run tools/gen-docs.py: " + " ".join(stale))


main()
