#!/usr/bin/env python3
"""docs/json.md from the schemas in docs/schema/: a table of members for each command.

    tools/schema-docs.py           writes the page
    tools/schema-docs.py --check   exits 1 if it is not of today
"""
import glob
import json
import os
import sys

PAGE = "docs/json.md"
HEAD = """# JSON

<!-- made by tools/schema-docs.py from docs/schema/ -->

With `--json` a command prints one JSON object on one line, also when it fails. This page has all members. Programs can
read the same as JSON schemas (draft 2020-12) in [schema/](schema/), which refuse every other member.

    $ gpuvm info game.trace --json | jq -c '[.schema, .subcommand, .status, .frames]'
    [1,"info","ok",61]
    $ gpuvm info nowhere.gvp --json | jq -c '[.status, .error]'
    gpuvm: cannot open nowhere.gvp: No such file or directory
    ["usage","cannot open nowhere.gvp: No such file or directory"]

- `schema` is the number of all schemas together. A member that goes, or means something else, raises it. A new member
  does not: read the members you know, and leave the rest.
- A member without "always" may be missing; in a list, "always" is about each object of it. `error` is there if, and only if, the command failed. A failure has the members
  of [every result](#every-result), and of `run`, `keyframe` and `play` also those that were known by then.
- Numbers are whole unless the table says so. Sizes are in bytes. Text is UTF-8 without control characters.
- `items[].name` is the member `name` of each object in the list `items`.
"""


def kind(schema, shared):
    if "$ref" in schema:
        name = schema["$ref"].rsplit("/", 1)[1]
        return "[%s](#%s)" % (name, heading(shared[name], name)[1])
    if "const" in schema:
        return "`%s`" % json.dumps(schema["const"])
    if "enum" in schema:
        return "text" if len(schema["enum"]) > 12 else ", ".join("`%s`" % (word or '""') for word in schema["enum"])
    if "oneOf" in schema:
        return " or ".join(kind(one, shared) for one in schema["oneOf"])
    kinds = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
    names = {"integer": "number", "number": "number, with fractions", "string": "text", "boolean": "true or false",
             "null": "`null`", "object": "object", "array": "list"}
    text = " or ".join(names[one] for one in kinds)
    if schema.get("type") == "array":
        text += " of " + kind(schema["items"], shared).replace("number", "numbers").replace("object", "objects")
    return text


def heading(schema, name):
    title = schema.get("title", "Shared: " + name)
    return title, "".join(c for c in title.lower().replace(" ", "-") if c.isalnum() or c in "-_")


def rows(schema, shared, before=""):
    """Each member, then those in it."""
    needed = schema.get("required", []) + schema.get("else", {}).get("required", [])
    for name, member in schema.get("properties", {}).items():
        text = member.get("description", "")
        yield before + name, kind(member, shared), "yes" if name in needed else "", text
        inner, mark = (member["items"], "[].") if member.get("type") == "array" else (member, ".")
        for one in [inner] + inner.get("oneOf", []):
            if "properties" in one:
                yield from rows(one, shared, before + name + mark)


def table(schema, shared):
    lines = ["| member | | always | |", "|---|---|---|---|"]
    for row in rows(schema, shared):
        lines.append("| `%s` | %s | %s | %s |" % row)
    return lines + [""]


def section(schema, name, shared):
    lines = ["## " + heading(schema, name)[0], "", schema["description"], ""]
    if schema.get("properties"):
        lines += table(schema, shared)
    for one in schema.get("oneOf", []):
        if one.get("title"):
            lines += ["### " + one["title"], ""]
        if one.get("properties"):
            lines += table(one, shared)
        elif one.get("title"):
            lines += ["Its members are those of [every result](#every-result).", ""]
    return lines


def page():
    schemas = {os.path.basename(path)[:-5]: json.load(open(path, encoding="utf-8"))
               for path in sorted(glob.glob("docs/schema/*.json"))}
    shared = schemas.pop("common")["$defs"]
    result = dict(shared.pop("result"), title="Every result")
    lines = [HEAD] + section(result, "result", shared)
    for name, schema in schemas.items():
        lines += section(schema, name, shared)
    for name, schema in shared.items():
        lines += section(schema, name, shared)
    return "\n".join(lines).rstrip() + "\n"


def main():
    fresh = page()
    old = open(PAGE, encoding="utf-8").read() if os.path.exists(PAGE) else ""
    if "--check" not in sys.argv:
        open(PAGE, "w", encoding="utf-8").write(fresh)
    elif fresh != old:
        raise SystemExit("out of date, run tools/schema-docs.py: " + PAGE)


main()
