#!/bin/sh
# The table of Vulkan is of today: made anew from the registry it is the same.
#   vk_table.sh
. tests/cli/lib.sh
registry=/usr/share/vulkan/registry/vk.xml
[ -e "$registry" ] || skip "no registry"
tools/gen-vk-api.py >"$work/vk_api.def" || fail "the generator fails"
same "$work/vk_api.def" compiler/vulkan/api/vk_api.def "vk_api.def"
finish
