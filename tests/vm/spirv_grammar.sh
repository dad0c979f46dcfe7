#!/bin/sh
# Tables of SPIR-V that are typed by hand against the grammar that Khronos publishes.
#   spirv_grammar.sh
. tests/cli/lib.sh
grammar=/usr/include/spirv/unified1/spirv.core.grammar.json
command -v python3 >/dev/null || skip "no python3"
[ -e $grammar ] || skip "no $grammar: install spirv-headers"
cat >"$work/compare.py" <<'END'
"""Capabilities, float modes, and what vm/spirv/spirv_words.c takes for types and atomics."""
import json
import re
import sys

bad = False


def say(text):
    global bad
    bad = True
    print(text)


def rows(path, macro):
    for line in open(path, encoding="utf-8"):
        match = re.match(macro + r"\((.*)\)$", line.strip())
        if match and "(name" not in line:
            yield [cell.strip() for cell in match.group(1).split(",")]


grammar = json.load(open(sys.argv[1], encoding="utf-8"))
kinds = {k["kind"]: k.get("enumerants", []) for k in grammar["operand_kinds"]}
by_name = {e["enumerant"]: e for e in kinds["Capability"]}
modes = {e["value"]: e for e in kinds["ExecutionMode"]}

# Names and codes; of the capabilities that one implies, another row has one.
table = list(rows("vm/spirv/spirv_capabilities.def", r"GV_(?:SUBGROUP_)?CAPABILITY"))
listed = {row[0] for row in table}
for name, code in ((row[0], int(row[1])) for row in table):
    known = by_name.get(name)
    if not known:
        say(f"spirv_capabilities.def: no capability {name}")
    elif known["value"] != code:
        say(f"spirv_capabilities.def: {name} is {known['value']}, not {code}")
    elif known.get("capabilities") and not listed & set(known["capabilities"]):
        say(f"spirv_capabilities.def: {name} implies {known['capabilities']}, which no row has")
codes = [int(row[1]) for row in table]
if len(table) < 50 or codes != sorted(codes):
    say(f"spirv_capabilities.def: {len(table)} rows, or out of order")

# Modes and the capability of each; the property has the mode's name and width.
floats = list(rows("vm/spirv/float_modes.def", "GV_FLOAT_MODE"))
for mode, capability, width, _, wish in floats:
    known = modes.get(int(mode))
    if not known:
        say(f"float_modes.def: no mode {mode}")
        continue
    needed = [by_name[name]["value"] for name in known["capabilities"]]
    if needed != [int(capability)]:
        say(f"float_modes.def: {known['enumerant']} needs {needed}, not {capability}")
    if wish != f"shader{known['enumerant']}Float{width}":
        say(f"float_modes.def: {wish} for {known['enumerant']} of {width} bits")
if len(floats) != 15:
    say(f"float_modes.def: {len(floats)} rows")

# Instructions that the listed capabilities allow, by class.
codes = {i["opname"]: i["opcode"] for i in grammar["instructions"]}


def allowed(kind):
    return {i["opcode"]: i["opname"] for i in grammar["instructions"] if i["class"] == kind and
            (not i.get("capabilities") or listed & set(i["capabilities"]))}


words = open("vm/spirv/spirv_words.c", encoding="utf-8").read()


def taken(function):
    """Opcodes by the ranges and names of a function's one expression."""
    body = re.search(function + r"\(uint32_t op\)\n\{(.*?)\n\}", words, re.S).group(1)
    result = set()
    for first, last in re.findall(r"op >= Spv(\w+) && op <= Spv(\w+)", body):
        result |= set(range(codes[first], codes[last] + 1))
    return result | {codes[name] for name in re.findall(r"op == Spv(\w+)", body)}


for kind, function in ("Type-Declaration", "gv_spirv_is_type"), ("Atomic", "gv_spirv_is_atomic"):
    own = taken(function)
    there = allowed(kind)
    for opcode, name in there.items():
        if opcode not in own:
            say(f"{function}: not {name}")
    of_kind = {i["opcode"] for i in grammar["instructions"] if i["class"] == kind}
    for opcode in own - of_kind:
        if opcode in codes.values():
            say(f"{function}: {opcode} is of another class")
    if len(there) < 10:
        say(f"{function}: {len(there)} instructions of {kind}")
sys.exit(bad)
END
python3 "$work/compare.py" $grammar || fail "tables and grammar differ"
finish
