# Edges of a room's programs; tools/edges.sh runs it over "BASENAME OBJECT" lines, then over
# the room's tests.list (tests/README.md has the form of its rows).
#   room=tests/vm   own=the archive of the room's helpers, or nothing
function fail(what) {
    printf "%s/tests.list:%d: %s\n", room, FNR, what > "/dev/stderr"
    failed = 1
    exit 1
}
# Layers' archives in the order of linking; a layer wants those below it.
function archives(    list, n, names, i) {
    if ("libcompiler" in wants || "libshader" in wants || "libruntime" in wants || "libtools" in wants)
        wants["libvm"]
    if ("libvm" in wants)
        wants["libresources"]
    n = split("libtools libcompiler libshader libruntime libvm libresources", names)
    for (i = 1; i <= n; i++)
        if (names[i] in wants)
            list = list " $dir/" names[i] ".a"
    return list
}
# What those archives want of the system.
function system_libraries(    list) {
    if ("libcompiler" in wants || "libshader" in wants)
        list = list " $glslang_libs"
    if ("libcompiler" in wants)
        list = list " $layer_libs"
    if ("libruntime" in wants || "libtools" in wants)
        list = list " $runtime_libs"
    return list " $tool_libs -ldl"
}
function input(word) {
    if (word ~ /^-/)
        flags = flags " " word
    else if (word ~ /^lib(tools|compiler|shader|runtime|vm|resources)$/)
        wants[word]
    else if (word ~ /^lib[a-z]+_tests$/)
        objects = objects " $dir/tests/" substr(word, 4, length(word) - 9) "/" word ".a"
    else if (word in object)
        objects = objects " $dir/" object[word] ".o"
    else
        fail("no archive and no source is called " word)
}
function stamp(test, waits) {
    print "build $dir/" room "/" program ".stamp: test |" waits
    print "  test = " test
    if (args)
        print "  args =" args
}
FNR == NR {
    object[$1] = $2
    next
}
/^#/ || NF == 0 {
    next
}
{
    kind = $1
    # NAME@OTHER: the program or script of OTHER, run with other arguments.
    other = split($2, parts, "@") > 1
    program = parts[1]
    source = other ? parts[2] : program
    objects = waits = args = flags = ""
    split("", wants)
    part = kind == "script" ? "waits" : "inputs"
    said = 0
    for (i = 3; i <= NF; i++) {
        if ($i == "|") {
            part = "waits"
        } else if ($i == ":") {
            part = "args"
            said = 1
        } else if (part == "waits") {
            waits = waits " " $i
        } else if (part == "args") {
            args = args " " $i
        } else {
            input($i)
        }
    }
    if (kind == "script") {
        script = room "/" source ".sh"
        lib = room "/lib.sh"
        if (!said)
            args = waits
        has_lib = (getline line < lib) > 0
        close(lib)
        stamp(script, waits " " script (has_lib ? " " lib : ""))
        next
    }
    if (kind != "test" && kind != "program" && kind != "fuzz")
        fail("a row begins with test, program, fuzz or script, not " kind)
    if (!(source in object))
        fail("no source is called " source)
    at = "$dir/" room "/" source
    if (other) {
        stamp(at, " " at waits)
        next
    }
    if (kind == "fuzz")
        args = " " room "/corpus/" program
    print "build " at ": link $dir/" object[source] ".o" (own ? " $dir/" own : "") objects archives()
    print "  libs =" (kind == "fuzz" ? " $fuzzer" : "") system_libraries() flags
    if (kind != "program")
        stamp(at, " " at waits)
}
