#!/bin/sh
# Runs a test under the layer that reverses what no barrier orders.
#   reverse.sh LAYERS COMMAND...            it passes all the same
#   reverse.sh LAYERS --without COMMAND...  and fails for each kind of barrier that is left
#                                           out, with order_<from>_<to> as its last argument
# LAYERS is the folder of the built layer. Prints how many units were recorded, how many
# of them before an earlier one.
. tests/cli/lib.sh
export VK_ADD_LAYER_PATH="$1" VK_INSTANCE_LAYERS=VK_LAYER_GPUVM_reverse
export GPUVM_REVERSE_REPORT="$work/report" GV_TEST_NO_VALIDATION=1
export GPUVM_NO_CHILD=1 # whose sandbox lets no layer write a report
shift

# counts: a loader that does not find the layer goes on without it.
counts() {
    awk '{ units += $1; moved += $3; barriers += $5; noised += $7 }
        END { printf "%d units, %d of them before an earlier one, %d barriers, noise in %d\n",
                     units, moved, barriers, noised; exit moved == 0 }' "$work/report"
}

if [ "$1" != --without ]; then
    "$@"
    code=$?
    [ $code -eq 0 ] || exit $code
    [ -e "$work/report" ] && counts || fail "the layer moved nothing"
    finish
fi
shift
"$@" order_transfer_transfer >"$work/out" 2>&1
[ $? -eq 77 ] && skip "no Vulkan device"
for from in transfer compute draw; do
    for to in transfer compute draw; do
        expect 0 "$from>$to" "$@" "order_${from}_$to"
        export GPUVM_REVERSE_WITHOUT="$from>$to"
        expect 1 "without $from>$to" "$@" "order_${from}_$to"
        unset GPUVM_REVERSE_WITHOUT
    done
done
# Noise where contents are still wanted shows.
export GPUVM_REVERSE_NOISE=all
expect 1 "noise in all" "$@" order_draw_transfer
finish
