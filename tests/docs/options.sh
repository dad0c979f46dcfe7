#!/bin/sh
# The tables of commands and options in docs/ are those of --help.
#   options.sh GPUVM
. tests/cli/lib.sh
tools/option-tables.py "$(realpath "$1")" --check || fail "tables of options"
finish
