#!/usr/bin/env python3
"""Brings the tables of commands and options in docs/ up to what `gpuvm --help` and `gpuvm COMMAND --help` print.

    tools/option-tables.py GPUVM           rewrites what stands between the markers
    tools/option-tables.py GPUVM --check   exits 1 and names the pages that are out of date

Markers: <!-- commands --> all commands, <!-- options --> all options by command, <!-- options COMMAND --> the
options of one. Each ends with <!-- end -->.
"""
import glob
import os
import re
import subprocess
import sys

EVERYWHERE = {"help", "pedantic"}  # rows that every command has


def told(*arguments):
    return subprocess.run([sys.argv[1], *arguments], check=True, capture_output=True, text=True).stdout


def commands():
    """Pairs of each command's name and the line about it."""
    return re.findall(r"^  ([a-z]+) +(\S.*)$", told("--help"), re.M)


def verbs():
    return [f"store {verb}" for verb in re.findall(r"^  ([a-z]+) +[A-Z].*$", told("store", "--help"), re.M)]


def options(command):
    """Rows of the help of a command: letter, name, argument, words."""
    found = re.findall(r"^ +(?:-(\w), )?--([a-z-]+)(?: (\S+))? {2,}(.*)$", told(*command.split(), "--help"), re.M)
    return [row for row in found if row[1] not in EVERYWHERE]


def cell(text):
    return text.replace("|", "\\|")


def page_of(command):
    for page in (f"commands/{command}.md", f"{command}.md"):
        if os.path.exists(f"docs/{page}"):
            return f"[{command}]({page})"
    sys.exit(f"docs/commands/{command}.md: no page for the command")


def command_table():
    return ["| command | |", "|---|---|"] + [f"| {page_of(name)} | {cell(words)} |" for name, words in commands()]


def option_table(command):
    rows = ["| option | |", "|---|---|"]
    for letter, name, argument, words in options(command):
        short = f"`-{letter}`, " if letter else ""
        rows.append(f"| {short}`--{name}{' ' + cell(argument) if argument else ''}` | {cell(words)} |")
    return rows


def all_options():
    of, letters = {}, {}
    for command in [name for name, _ in commands() if name != "store"] + verbs():
        for letter, name, _, _ in options(command):
            of.setdefault(name, []).append(command)
            letters[name] = f"`-{letter}`, " if letter else ""
    return (["| option | commands |", "|---|---|"] +
            [f"| {letters[name]}`--{name}` | {', '.join(of[name])} |" for name in sorted(of)] +
            ["| " + ", ".join(f"`--{name}`" for name in sorted(EVERYWHERE)) + " | all |"])


def current(text):
    def fill(match):
        if match[2] == "commands":
            table = command_table()
        elif match[3]:
            table = option_table(match[3].strip())
        else:
            table = all_options()
        return "\n".join([match[1], ""] + table + ["", "<!-- end -->"])
    return re.sub(r"(<!-- (commands|options)((?: [a-z]+)*) -->)\n.*?<!-- end -->", fill, text, flags=re.S)


def main():
    os.chdir(os.path.join(os.path.dirname(os.path.abspath(__file__)), ".."))
    stale = []
    for page in sorted(glob.glob("docs/**/*.md", recursive=True)):
        with open(page, encoding="utf-8") as file:
            text = file.read()
        fresh = current(text)
        if fresh == text:
            continue
        stale.append(page)
        if "--check" not in sys.argv:
            with open(page, "w", encoding="utf-8") as file:
                file.write(fresh)
    if "--check" in sys.argv and stale:
        sys.exit("out of date, run tools/option-tables.py GPUVM: " + " ".join(stale))


main()
