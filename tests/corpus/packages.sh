#!/bin/sh
# The programs of packages.list become SPIR-V, or are refused by name.
#   packages.sh GLSL_CORPUS
# Files are those of Debian's glmark2-data and kodi-data; without them the test skips. Prints
# for each package and API how many programs there are, how many are valid, and why others
# are not.
. tests/cli/lib.sh
check=$1
glmark2=/usr/share/glmark2/shaders
kodi=/usr/share/kodi/system/shaders
[ -d "$glmark2" ] || [ -d "$kodi" ] || skip "neither glmark2-data nor kodi-data is here"

# What glmark2 writes itself: constants, and text of its own for some $NAME$.
mkdir "$work/own" "$work/gl" "$work/es"
cat >"$work/own/constants" <<'END'
#if defined(GL_ES)
#define HIGHP_OR_DEFAULT highp
#define MEDIUMP_OR_DEFAULT mediump
#else
#define HIGHP_OR_DEFAULT
#define MEDIUMP_OR_DEFAULT
#endif
END
cat >"$work/own/values" <<'END'
const vec4 LightSourcePosition = vec4(20.0, 20.0, 10.0, 1.0);
const vec3 LightSourceHalfVector = vec3(0.408248, 0.408248, 0.816497);
const vec4 MaterialDiffuse = vec4(0.0, 0.0, 1.0, 1.0);
const vec4 LightSourcePosition0 = vec4(0.0, 1.0, 0.0, 1.0);
const vec4 LightColor0 = vec4(0.8, 0.8, 0.8, 1.0);
const vec4 LightColor = vec4(0.4, 0.4, 0.4, 1.0);
const float RefractiveIndex = 1.2;
const float PI = 3.141593;
const vec2 TextureSize = vec2(512.0, 512.0);
const float TextureStepX = 0.003125;
const float TextureStepY = 0.004167;
const float Kernel0 = 0.25;
const float Kernel1 = -1.0;
END
cat >"$work/own/precision" <<'END'
#ifdef GL_ES
precision mediump float;
#endif
END
cat >"$work/own/convolution" <<'END'
result = texture2D(Texture0, TextureCoord + vec2(-1.0 * TextureStepX, 0.0)) * Kernel0 +
         texture2D(Texture0, TextureCoord + vec2(0.0, TextureStepY)) * Kernel1;
END
echo 'gl_FragColor = compute_color(LightSourcePosition0, LightColor0);' >"$work/own/lights"
echo 5 >"$work/own/loops"

# FOLDER WORDS: the text of a row's column, on standard output.
join() {
    folder=$1
    : >"$work/text"
    for word in $2; do
        case $word in
        *=*)
            from=$folder/${word#*=}
            [ -e "$from" ] || from=$work/own/${word#*=}
            awk -v name="\$${word%%=*}\$" -v from="$from" '
                BEGIN { while ((getline line < from) > 0) by = by (by == "" ? "" : "\n") line }
                (at = index($0, name)) { $0 = substr($0, 1, at - 1) by substr($0, at + length(name)) }
                { print }' "$work/text" >"$work/next"
            ;;
        *@*)
            awk -v mark="$(echo "${word#*@}" | tr _ ' ')" -v from="$folder/${word%%@*}" '
                !done && index($0, mark) == 1 {
                    while ((getline line < from) > 0) print line
                    done = 1
                }
                { print }' "$work/text" >"$work/next"
            ;;
        *) cat "$work/text" "$folder/$word" >"$work/next" || return 1 ;;
        esac
        mv "$work/next" "$work/text"
    done
    cat "$work/text"
}

# PACKAGE STAGE DEFINES: a text with what its program puts behind #version.
head_of() {
    tr -d '\r' >"$work/whole"
    grep '^#version' "$work/whole"
    for define in $3; do
        case $define in
        *=*) echo "#define ${define%%=*} ${define#*=}" ;;
        *) echo "#define $define 1" ;;
        esac
    done
    if [ "$1" = glmark2 ]; then
        cat "$work/own/constants"
        [ "$2" = vert ] || cat "$work/own/precision"
        cat "$work/own/values"
    fi
    grep -v '^#version' "$work/whole"
}

# PACKAGE API VERTEX FRAGMENT DEFINES
program() {
    eval "folder=\$$1"
    here=$work/$2
    [ "$2" = es ] && here=$work/es/GLES && mkdir -p "$here"
    join "$folder" "$3" | head_of "$1" vert "$5" >"$here/program.vert"
    join "$folder" "$4" | head_of "$1" frag "$5" >"$here/program.frag"
    "$check" "$here/program.vert" "$here/program.frag" >"$work/one" 2>&1 ||
        fail "$1 $2: $3, $4 ($5): $(cat "$work/one")"
    printf '%s\t%s\t%s\n' "$1" "$2" "$(sed 's/^[0-9a-f]* //' "$work/one")" >>"$work/told"
}

tab=$(printf '\t')
grep -v '^#' tests/corpus/packages.list >"$work/rows"
while IFS=$tab read -r package api vertex fragment defines; do
    eval "[ -d \"\$$package\" ]" || continue
    [ "$api" = es ] || program "$package" gl "$vertex" "$fragment" "$defines"
    [ "$api" = gl ] || program "$package" es "$vertex" "$fragment" "$defines"
done <"$work/rows"
[ -s "$work/told" ] || fail "no program at all"
sort "$work/told" | uniq -c
finish
