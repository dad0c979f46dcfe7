#!/usr/bin/env python3
"""Runs commands in a folder and validates the JSON that they print.

usage: json_schemas.py SCHEMAS FOLDER GPUVM PLAYER
"""
import glob
import json
import os
import subprocess
import sys

import jsonschema

# Rows: schema, exit code, words of the command line, as a shell reads them. `gpuvm` and `player` are the programs.
ROWS = """
compile 0 gpuvm compile demo.aerogputrace -o demo.gvp -q
compile 0 gpuvm compile tour.trace -o tour.gvp -q
compile 3 gpuvm compile demo.gvp -o none.gvp
compile 3 gpuvm compile cut.aerogputrace -o none.gvp
compile 2 gpuvm compile demo.aerogputrace --levle 3
compile 2 gpuvm compile nowhere
compile 7 gpuvm compile demo.aerogputrace -o nowhere/none.gvp
info 0 gpuvm info demo.gvp
info 0 gpuvm info demo.aerogputrace
info 0 gpuvm info game.psxgpu
info 0 gpuvm info tour.trace
info 0 gpuvm info tour.gvp
compile 0 gpuvm compile game.psxgpu -o game.gvp
info 0 gpuvm info game.gvp
run 0 gpuvm run game.gvp --frames 1 --export vram=vram.png
info 0 gpuvm info demo.aerogputrace.zst
info 0 gpuvm info --allow-truncated cut.aerogputrace
info 3 gpuvm info cut.aerogputrace
info 3 player info game.psxgpu
info 2 gpuvm info
run 0 gpuvm run demo.gvp --hash md5-rgb --hash sha1-rgb --screenshots 1,end --calls 100 --export color0=color.png --stats
run 0 gpuvm run demo.gvp --loop 3 --benchmark --progress-file progress
info 0 gpuvm info progress
run 0 gpuvm run demo.gvp --frames 3 --benchmark
run 0 gpuvm run demo.aerogputrace --frames 2 -o one.png
run 0 gpuvm run tour.trace
run 0 gpuvm run - <demo.gvp
run 1 gpuvm run demo.gvp --expect wrong.tsv --screenshots differing --hash-export color0:md5-rgb --export color0@0-1=each
run 1 gpuvm run demo.gvp --expect pictures --tolerance gl
run 0 gpuvm run demo.gvp --validate
run 0 gpuvm run demo.gvp --check-effects
run 0 player run demo.gvp --hash sha256-rgba
run 3 gpuvm run damaged.gvp
run 3 gpuvm run stops.gvp
run 4 gpuvm run demo.thin
run 2 gpuvm run demo.gvp --device 99
run 2 gpuvm run demo.gvp --frames 5-3
run 7 gpuvm run demo.gvp --export color0=/proc/none/a.png
play 2 gpuvm play nowhere
verify 0 gpuvm verify demo.gvp
verify 0 gpuvm verify --deep demo.gvp
verify 3 gpuvm verify damaged.gvp
verify 3 gpuvm verify demo.aerogputrace
asm 0 gpuvm asm small.gvt -o small.gvp
asm 3 gpuvm asm wrong.gvt -o none.gvp
asm 2 gpuvm asm small.gvt
dump 3 gpuvm dump damaged.gvp
explain 0 gpuvm explain demo.gvp
explain 3 gpuvm explain damaged.gvp
inspect 0 gpuvm inspect demo.gvp / f1/ f1.d0 ^f1/ end/objects
inspect 0 gpuvm inspect game.psxgpu f1.d0
inspect 2 gpuvm inspect demo.gvp f999
inspect 2 gpuvm inspect demo.gvp nowhere
inspect 0 gpuvm inspect demo.gvp f1/color0[0,0,2x2] f1/ f1/vs
inspect 0 gpuvm inspect tour.trace end/o0
inspect 2 gpuvm inspect demo.gvp f0.d0/vb0 -o none.png
inspect 3 gpuvm inspect demo.gvp f1/source
inspect 3 gpuvm inspect damaged.gvp
devices 0 gpuvm devices
devices 0 gpuvm devices demo.gvp
devices 0 gpuvm devices wants.gvp
devices 3 gpuvm devices damaged.gvp
thin 0 gpuvm thin demo.gvp --store objects -o demo.thin
thin 2 gpuvm thin demo.gvp
fat 0 gpuvm fat demo.thin --store objects -o again.gvp
fat 4 gpuvm fat demo.thin --store empty -o none.gvp
slice 0 gpuvm slice demo.gvp --frames 3 -o slice.gvp
slice 0 gpuvm slice game.psxgpu --frames 20
slice 0 gpuvm slice wholly.gvp --frames 0
slice 2 gpuvm slice demo.gvp
edit 0 gpuvm edit demo.gvp --skip f1.d0 -o edited.gvp
diff 1 gpuvm diff demo.gvp edited.gvp
diff 1 gpuvm diff demo.gvp --at f1.d0 --at f1.d2
diff 0 gpuvm diff demo.gvp demo.gvp --state
diff 2 gpuvm diff demo.gvp
diff 3 gpuvm diff demo.gvp damaged.gvp --state
edit 2 gpuvm edit demo.gvp -o edited.gvp
edit 3 gpuvm edit damaged.gvp --skip f1.d0 -o none.gvp
keyframe 0 gpuvm keyframe demo.gvp --every 10 -o keyed.gvp
info 0 gpuvm info keyed.gvp
keyframe 0 gpuvm keyframe tour.trace --at last -o keyed.gvp
keyframe 3 gpuvm keyframe stops.gvp --at 1 -o none.gvp
keyframe 2 gpuvm keyframe demo.gvp -o keyed.gvp
prof 0 gpuvm prof demo.gvp --frames 0-1 --loop 1
prof 0 gpuvm prof tour.trace --frames 0 --loop 1
prof 3 gpuvm prof stops.gvp --loop 1
prof 2 gpuvm prof demo.gvp --by nonsense
issues 0 gpuvm issues tour.trace --validate
issues 0 gpuvm issues demo.gvp
issues 1 gpuvm issues tour.trace --fail-on note
issues 3 gpuvm issues stops.gvp
issues 2 gpuvm issues demo.gvp --fail-on nonsense
keyframe 3 gpuvm keyframe damaged.gvp --every 2 -o none.gvp
compare 0 gpuvm compare pictures/frame_000001.png pictures/frame_000001.png
compare 1 gpuvm compare pictures/frame_000001.png pictures/frame_000009.png --flip
compare 3 gpuvm compare pictures others
compare 3 gpuvm compare damaged.gvp damaged.gvp
compare 2 gpuvm compare nowhere nowhere
check 0 gpuvm check demo.gvp --golden golden --bless -o results
check 0 gpuvm check demo.gvp --golden golden -o results --against results
check 1 gpuvm check demo.gvp game.psxgpu --golden wrong -o others.d --against results
check 2 gpuvm check demo.gvp --golden nowhere
check 5 gpuvm check demo.gvp --golden golden --device 99
store-add 0 gpuvm store add objects small.gvt
store-add 3 gpuvm store add broken small.gvt
store-ls 0 gpuvm store ls objects
store-ls 2 gpuvm store ls nowhere
store-check 0 gpuvm store check objects
store-check 3 gpuvm store check spoilt
store-gc 0 gpuvm store gc objects demo.thin --dry-run
store-gc 2 gpuvm store gc objects
store-pack 0 gpuvm store pack objects objects.pack
store-pack 2 gpuvm store pack objects
common 2 gpuvm nonsense
common 2 gpuvm store nonsense
"""

SMALL = """frame_end()
"""
STOPS = """b = buffer_create(64, INDEX|INDIRECT|STORAGE)
bind_index_buffer(b, 128, UINT16)
frame_end()
frame_end()
"""
WANTS = """.require alternative feature "no" fallback "other way"
.require preferred feature "nor" fallback "less"
.require feature "neither"
frame_end()
"""

# Members that no row above brings about: oddities of captures, and facts
# of gfxreconstruct's, of which tests/gfxr records some, and of AGI's.
GFXR = ("api_version", "blocks", "compression", "device_api_version", "file_version", "function_calls", "memory_fills",
        "memory_fill_bytes", "memory_fill_bytes_of_a_frame", "recording_device", "snapshot")
AGI = ("aborted_calls", "header_version", "memory_resources", "observations", "observed_bytes",
       "pointer_bytes", "types")
RARE = {"info /advice", "info /game_id", "slice /whole", *(f"info /comment_{n}" for n in range(2, 9)),
        *(f"info /{fact}" for fact in GFXR + AGI)}

failed = 0


def check(good, words):
    global failed
    if not good:
        failed += 1
        print("FAILED:", words)


def before(folder, gpuvm, row):
    """What a row needs that no earlier row made."""
    def here(name):
        return os.path.join(folder, name)

    def write(name, text):
        with open(here(name), "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())

    def read(name):
        with open(here(name), "rb") as file:
            return file.read()

    def run(*words):
        subprocess.run([gpuvm, *words], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    if "cut.aerogputrace" in row and not os.path.exists(here("cut.aerogputrace")):
        write("cut.aerogputrace", read("demo.aerogputrace")[:-5000])
    if "demo.aerogputrace.zst" in row:
        subprocess.run(["zstd", "-q", "-f", "demo.aerogputrace"], cwd=folder, check=True)
    if "wrong.tsv" in row:
        write("wrong.tsv", "frame\t0\t256x256\t0ee0646c1c77d8131cc8f4ee65c7673b\nframe\t99\t-\tmd5-rgb:0\n".replace(
            "md5-rgb:0", "md5-rgb:" + "0" * 32))
    if "pictures" in row and not os.path.exists(here("pictures")):
        run("run", "demo.gvp", "-q", "--screenshots", "1,9", "--screenshot-dir", "pictures")
        os.rename(here("pictures/frame_000009.png"), here("pictures/frame_000002.png"))
        run("run", "demo.gvp", "-q", "--screenshots", "9", "--screenshot-dir", "pictures")
    if "others" in row.split():
        os.makedirs(here("others"))
        write("others/frame_000001.png", read("pictures/frame_000002.png"))
        write("others/frame_000002.png", b"no picture")
        write("others/frame_000003.png", read("pictures/frame_000002.png"))
    if "damaged.gvp" in row and not os.path.exists(here("damaged.gvp")):
        bytes_ = bytearray(read("demo.gvp"))
        bytes_[400] ^= 255
        write("damaged.gvp", bytes(bytes_))
    if "wrong.gvt" in row:
        write("wrong.gvt", "nonsense()\n")
    if "small.gvt" in row:
        write("small.gvt", SMALL)
    for name, text in (("stops", STOPS), ("wants", WANTS), ("wholly", SMALL)):
        if name + ".gvp" in row:
            write(name + ".gvt", text)
            run("asm", name + ".gvt", "-o", name + ".gvp")
    if "demo.thin" in row and not os.path.exists(here("demo.thin")):
        run("thin", "demo.gvp", "--store", "objects", "-o", "demo.thin")
    os.makedirs(here("empty"), exist_ok=True)
    if "wrong" in row.split() and "check" in row:
        os.makedirs(here("wrong"), exist_ok=True)
        write("wrong/demo.tsv", read("golden/demo.tsv").replace(b"frame\t3\t256", b"frame\t3\t255"))
    if "broken" in row:
        write("broken", "no store\n")
    if "spoilt" in row:
        subprocess.run(["cp", "-r", "objects", "spoilt"], cwd=folder, check=True)
        for path in glob.glob(here("spoilt/cas/**/*"), recursive=True):
            if os.path.isfile(path):
                os.chmod(path, 0o600)
                with open(path, "r+b") as file:
                    file.seek(30)
                    file.write(b"spoilt")
                break


def validator(schemas, name):
    with open(os.path.join(schemas, name + ".json"), encoding="utf-8") as file:
        text = file.read().replace("common.json#", "#")
    schema = json.loads(text)
    with open(os.path.join(schemas, "common.json"), encoding="utf-8") as file:
        schema["$defs"] = json.load(file)["$defs"]
    if name == "common":
        schema.update({"$ref": "#/$defs/result", "unevaluatedProperties": False})
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def objects(value, path=""):
    """Every object in a value, with the path of names that leads there."""
    if isinstance(value, dict):
        yield path, value
        for name, member in value.items():
            yield from objects(member, path + "/" + name)
    elif isinstance(value, list):
        for member in value:
            yield from objects(member, path)


def refuses_more(validate, value, name):
    """Whether no object in it may have a member of another name."""
    seen = set()
    for path, one in objects(value):
        if path in seen or "/provenance" in path:
            continue
        seen.add(path)
        one["not theirs"] = 1
        check(not validate.is_valid(value), f"{name}: {path or '/'} may have a member that is not in the schema")
        del one["not theirs"]


def declared(schemas, shared, schema, path=""):
    """Paths of all members that a schema has."""
    if "$ref" in schema:
        schema = shared[schema["$ref"].rsplit("/", 1)[1]]
    for one in schema.get("allOf", []) + schema.get("oneOf", []):
        yield from declared(schemas, shared, one, path)
    if "items" in schema:
        yield from declared(schemas, shared, schema["items"], path)
    for name, member in schema.get("properties", {}).items():
        yield path + "/" + name
        yield from declared(schemas, shared, member, path + "/" + name)


def take(schemas, seen, name, text, row):
    try:
        value = json.loads(text)
    except ValueError as wrong:
        check(False, f"{row}: {wrong}: {text[:200]}")
        return
    validate = validator(schemas, name)
    for wrong in validate.iter_errors(value):
        check(False, f"{row}: /{'/'.join(map(str, wrong.absolute_path))}: {wrong.message[:300]}")
    refuses_more(validate, value, row)
    for path, one in objects(value):
        seen.setdefault(name, set()).update(path + "/" + member for member in one)


def run_rows(schemas, folder, programs):
    seen = {}
    for row in ROWS.strip().splitlines():
        name, code, words = row.split(" ", 2)
        before(folder, programs["gpuvm"], words)
        program, rest = words.split(" ", 1)
        done = subprocess.run(f"{programs[program]} {rest.replace(' <', ' --json <')}" + ("" if " <" in rest else " --json"),
                              shell=True, cwd=folder, capture_output=True, text=True, check=False)
        check(done.returncode == int(code), f"{row}: exit {done.returncode}: {done.stderr}")
        lines = done.stdout.splitlines()
        check(len(lines) == 1, f"{row}: {len(lines)} lines")
        for line in lines:
            take(schemas, seen, name, line, row)
    for results in "results", "others.d":
        with open(os.path.join(folder, results, "results.jsonl"), encoding="utf-8") as file:
            for line in file:
                take(schemas, seen, "check-line", line, results)
    return seen


def main():
    schemas, folder = sys.argv[1:3]
    programs = {"gpuvm": sys.argv[3], "player": sys.argv[4]}
    seen = run_rows(schemas, folder, programs)
    with open(os.path.join(schemas, "common.json"), encoding="utf-8") as file:
        shared = json.load(file)["$defs"]
    names = {os.path.basename(path)[:-5] for path in glob.glob(os.path.join(schemas, "*.json"))}
    check(names == set(seen), f"no row of {names - set(seen)}")
    unseen = set()
    for name in sorted(names - {"common"}):
        with open(os.path.join(schemas, name + ".json"), encoding="utf-8") as file:
            schema = json.load(file)
        if "Only failures" in schema["description"] or name == "play":
            continue
        for path in sorted(set(declared(schemas, shared, schema)) - seen[name]):
            if path.count("/") == 1 and path in ("/error", "/offset", "/command", "/file"):
                continue
            unseen.add(f"{name} {path}")
    check(unseen == RARE, f"members that are never seen: {sorted(unseen ^ RARE)}")
    print(f"{len(ROWS.strip().splitlines())} commands, {sum(map(len, seen.values()))} members")
    sys.exit(1 if failed else 0)


main()
