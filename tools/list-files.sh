#!/bin/sh
# Prints docs/files.md: each folder with what it is about, each file with the first sentence
# at its head, that of the .h for a .c that has one. A file that has none is an error.
#   tools/list-files.sh >FILE
cd "$(dirname "$0")/.."
. tools/steps.sh
export LC_ALL=C
mkdir -p build

folders() {
    cat <<'WORDS'
resources	Stores, cache, codec, hash, sources of blobs.
resources/http	Bytes and stores from web servers: libcurl, requests, what is tried again.
resources/base	Errors, checked reads, bytes, files, logs: what everything else stands on.
vm	Bytecode: the tables that everything else is made from, and what they become in C.
vm/payload	The payload file: read, written, converted; its keyframes and its debug map ([payload.md](payload.md)).
vm/machine	The interpreter; the schedule of resources; where a run is ([machine.md](machine.md)).
vm/track	Objects, bindings and dynamic state behind any command, without a GPU ([slicing.md](slicing.md)).
vm/effects	The bytes and texels that a call reads, may write or overwrites ([slicing.md](slicing.md)).
vm/matrix	Products and inverses of matrices, the same bits on every machine.
vm/stream	Payloads run while they come through a pipe ([payload/stream.md](payload/stream.md)).
vm/text	Payloads as assembly text, both ways ([text.md](text.md)).
vm/slice	Which of verified code some frames need: the way back over tracker and effects ([slicing.md](slicing.md)).
vm/inspect	Paths, and state at any place of the code without a GPU ([paths.md](paths.md)).
vm/edit	What edits are, and the payload that they make ([commands/edit.md](commands/edit.md)).
vm/keyframe	What is written behind a payload: keyframes and their contents ([keyframes.md](keyframes.md)).
vm/verify	What code, tables and calls may be: one walk, before anything runs.
vm/rules	What calls may do, for the runtime and for who emits them.
vm/spirv	SPIR-V of payloads: its gate, its ids, its interface, what it weighs.
compiler	The way in: outer layers, probes, front-ends, diagnostics ([compiler.md](compiler.md)).
compiler/builder	Explicit work to bytecode: dedup, slots, observations, blocks, requirements, targets.
compiler/lower	What every API that keeps state needs between its state and the builder ([lower.md](lower.md)).
compiler/texels	Texels decoded ahead: pure functions from bytes to bytes.
compiler/shader	What the languages have in common ([shaders.md](shaders.md)).
compiler/shader/spirv	SPIR-V that the translators made: parsed and scanned.
compiler/shader/glsl	GLSL of any version to SPIR-V, with glslang.
compiler/shader/glsl/text	GLSL as text: tokens, macros, limits, dialects, what is declared.
compiler/shader/arb	ARB assembly programs to statements of GLSL.
compiler/shader/cross	SPIR-V of OpenGL to GLSL, with SPIRV-Cross.
compiler/shader/d3d	DXBC and Direct3D 9 shaders to GLSL by one IR.
compiler/shader/wgsl	WGSL to GLSL: tokens, tree, types, text.
compiler/shader/recorded	SPIR-V of Vulkan captures, made what payloads have.
compiler/aerogpu	AeroGPU captures: state, objects, draws ([aerogpu.md](aerogpu.md)).
compiler/aerogpu/trace	AeroGPU's container and packets, before anything is known of their meaning.
compiler/gl	The machine of OpenGL: who calls what, windows, frames.
compiler/gl/base	What the rooms of the OpenGL machine share: its state, contexts, buffers, geometry.
compiler/gl/state	Calls that only change state.
compiler/gl/assembly	Programs of ARB assembly: names, texts, parameters, what their rows hold.
compiler/gl/fixed	Fixed function as generated shaders.
compiler/gl/texture	Texture objects, formats, samplers.
compiler/gl/program	GLSL: shader and program objects, uniforms, variants, what draws run of them.
compiler/gl/draw	Framebuffers, draws, clears, copies, blits.
compiler/gl/geometry	glBegin, arrays, display lists, evaluators.
compiler/gl/pixels	Pixels at the raster position: bitmaps, rectangles, copies.
compiler/apitrace	apitrace's traces: what they are, as text, by sets of calls ([apitrace.md](apitrace.md)).
compiler/apitrace/trace	apitrace's containers, events, values and signatures; they know no GL.
compiler/vulkan	Vulkan's calls to explicit work, at their submit.
compiler/vulkan/track	A Vulkan program's objects, memory, descriptors and command buffers.
compiler/vulkan/api	Vulkan's functions and structs as one table, a call of them.
compiler/gfxr	gfxreconstruct's captures: blocks, calls, meta-data, as text ([gfxr.md](gfxr.md)).
compiler/agi	AGI's captures: the pack, memory of the recorded program, calls, snapshots, as text ([agi.md](agi.md)).
compiler/psx	PlayStation dumps: reader, GPU, lowering to integer compute ([psx.md](psx.md)).
runtime	The host: calls of payloads, handles, devices ([runtime.md](runtime.md)).
runtime/null	A device that does nothing, for runs that only show what is refused.
runtime/spirv	Shaders made safe, and made for what a device lacks.
runtime/vk	What the files of the runtime share.
runtime/vk/device	The device: loader, features, formats, requirements, pipeline cache.
runtime/vk/memory	Memory, buffers, images, views, commands, hazards.
runtime/vk/pipelines	Shaders, layouts, pipelines, samplers, descriptors.
runtime/vk/transfer	Bytes and texels between buffers, images and files: copies, clears, readbacks, pictures.
runtime/vk/work	What commands do: passes, draws, dispatches, queries, exports.
tools	The programs: options, input and output, reports ([cli.md](cli.md)).
tools/watch	Hosts around the runtime's that look at calls, time them, or alter them.
tools/prof	What parts of frames cost (`gpuvm prof`).
tools/issues	What is wrong, or done for nothing (`gpuvm issues`).
tools/audit	What calls write, held against what they declare (`run --check-effects`).
tools/base	What every program says and how it ends: reports, JSON, last words.
tools/check	What `check` does: captures at once, the golden folder, words of results.
tools/child	Work in a process of its own: of a command (`child.c`), of `gpuvm_spawn` (`replay_child.c`), of fetching.
tools/commands	A file per command.
tools/describe	Manual pages and completions, made of the tables of options.
tools/diff	What two recordings do otherwise: records of all calls, their alignment, rows.
tools/edit	Edits as people write them: options, lines, files.
tools/inspect	Looks at a place that need a run: uniform bytes.
tools/keyframe	What `keyframe` does in front of a frame: contents read back.
tools/library	libgpuvm, for programs of others ([embedding.md](embedding.md)).
tools/picture	Pictures of frames: how they become files.
tools/process	What a process is bound to: memory, heaps, caches of drivers.
tools/replay	The one engine that replays: it opens, begins, goes on, jumps, gives pictures.
tools/results	What is told of a check: lines of JSON, tables, JUnit, a page, what changed.
tools/run	Parts of `run`: plans, sessions, windows, streams, exports.
tools/sandbox	What a child may do: system calls, files.
tools/select	SETs of frames, calls and kinds: one grammar, and what it selects.
tools/store	What `store` does with folders and packs.
tools/verdict	Whether a picture is as expected: files of pictures, tolerances, what is off, lines of hashes.
tools/window	The window of `--window`: its process, what it decides, how pictures come to it ([window.md](window.md)).
WORDS
}

cat <<'HEAD'
# Files

Every file of the layers, by folder, with the first sentence at its head. Written by
`tools/list-files.sh`, which ninja runs when a file comes or goes; a check compares. Tests:
[tests/README.md](../tests/README.md).
HEAD
folders >build/list-folders
find resources vm compiler runtime tools -name '*.c' -o -name '*.h' -o -name '*.def' |
    sed 's|\(.*\)/\([^/]*\)|\1	\2|' | sort >build/list-files
awk -F '\t' '
    # The first sentence of the comment at the head of a file.
    function sentence(path,    line, text) {
        while ((getline line < path) > 0 && line ~ /^\/\/ ?[^ ]/) {
            sub(/^\/\/ ?/, "", line)
            text = text (text == "" ? "" : " ") line
        }
        close(path)
        if (match(text, /[.] +[A-Z]|[.]$/))
            text = substr(text, 1, RSTART)
        if (text == "") {
            print "tools/list-files.sh: no words at the head of " path > "/dev/stderr"
            failed = 1
        }
        gsub(/[|]/, "\\|", text)
        return text
    }
    FILENAME ~ /folders/ { words[$1] = $2; next }
    { there[$1 "/" $2]; order[++count] = $0 }
    END {
        for (i = 1; i <= count; i++) {
            split(order[i], part)
            folder = part[1]
            file = part[2]
            if (folder != last) {
                if (!(folder in words)) {
                    print "tools/list-files.sh: say what " folder " is about" > "/dev/stderr"
                    failed = 1
                }
                print "\n## `" folder "/`\n\n" words[folder] "\n\n| file | what |\n|---|---|"
                last = folder
            }
            # A unit is a .c and a .h of one name.
            unit = folder "/" file
            sub(/[.][a-z]+$/, "", unit)
            both = (unit ".c") in there && (unit ".h") in there
            if (both && file ~ /[.]c$/)
                continue
            name = "`" file "`"
            if (both && file ~ /[.]h$/) {
                sub(/[.]h$/, ".c", file)
                name = "`" file "`, `.h`"
            }
            print "| " name " | " sentence(folder "/" part[2]) " |"
        }
        exit failed
    }' build/list-folders build/list-files
