#!/bin/sh
# An `alternative` requirement promises the same picture another way: with each of them hidden
# (the layer that hides, tests/layers/hide) every frame has the hash that it has without the
# layer. What would differ is to be `preferred`.
#   alternatives.sh GPUVM MAKE_AEROGPU MAKE_APITRACE LAYERS EACH
# Each EACHth of the fixtures, all scenes of make_apitrace; with 1 also the corpora, where there are any.
. tests/cli/lib.sh
. tests/drivers/lib.sh
gpuvm=$1 make_aerogpu=$2 make_apitrace=$3 layers=$4 each=$5
corpus=${GPUVM_CORPUS:-../shared/corpus}
use_driver lavapipe "$gpuvm"
export XDG_CACHE_HOME="$work/cache"
mkdir -p "$work/scenes"
"$make_aerogpu" fixtures "$work/fixtures" || fail "make_aerogpu"
"$make_apitrace" scenes "$work/scenes" 0 raw || fail "make_apitrace"
find "$work/fixtures" -name '*.aerogputrace' | sort | sed -n "1~${each}p" >"$work/captures"
find "$work/scenes" -name '*.trace' | sort >>"$work/captures"
[ "$each" != 1 ] || for folder in aerogpu psx apitrace field rules; do
    find "$corpus/$folder" -maxdepth 1 -name '*.aerogputrace' -o -maxdepth 1 -name '*.trace' \
        -o -maxdepth 1 -name '*.psxgpu*' 2>/dev/null | sort >>"$work/captures"
done

# Rules that hide what `info` calls an alternative and nothing beside it prefers. Properties
# that lavapipe lacks anyway are left out.
rules() {
    awk '$1 != "requires" { next }
        $2 == "preferred" { preferred[$3 $4] }
        $2 == "alternative" { kind[n] = $3; name[n] = $4; value[n++] = $5 }
        END {
            for (i = 0; i < n; i++)
                if (kind[i] name[i] in preferred)
                    continue
                else if (name[i] == "triangleFans")
                    print "portability" # without it every device has fans
                else if (kind[i] == "feature")
                    print "hide feature " name[i]
                else if (kind[i] == "format")
                    print "hide format " name[i] " " value[i]
                else if (name[i] == "maxTexelBufferElements")
                    print "limit " name[i] " " value[i] - 1
        }' "$1" | sort -u
}

count=0
while read -r capture; do
    "$gpuvm" compile "$capture" -o "$work/x.gvp" >"$work/out" 2>"$work/err" &&
        "$gpuvm" run "$work/x.gvp" --hash sha256-rgba >"$work/plain" 2>"$work/err" || continue
    "$gpuvm" info "$work/x.gvp" >"$work/info" 2>"$work/err"
    rules "$work/info" >"$work/rules"
    while read -r rule; do
        env GV_HIDE="$rule" VK_ADD_LAYER_PATH="$layers" VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_hide \
            "$gpuvm" run "$work/x.gvp" --hash sha256-rgba >"$work/out" 2>"$work/err" ||
            fail "$capture: $rule: $(tail -n 1 "$work/err")"
        cmp -s "$work/out" "$work/plain" || fail "$capture: $rule: another picture"
        count=$((count + 1))
    done <"$work/rules"
done <"$work/captures"
echo "$count alternatives of $(wc -l <"$work/captures") captures"
[ $count -gt 0 ] || fail "no alternative was hidden"
finish
