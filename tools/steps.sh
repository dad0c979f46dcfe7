# Sourced by scripts that end with the first command that fails, and say which step that was:
#   . tools/steps.sh
#   step WORDS...      what begins
#   at_end COMMAND     what is done at the end, however it comes; those named later come first
# In a pipe only the last command's failure counts: what matters goes through a file.
set -eu
steps_step= steps_end=:
step() {
    steps_step=$*
}
at_end() {
    steps_end="$*; $steps_end"
}
steps_over() {
    steps_code=$?
    trap - EXIT
    set +e
    eval "$steps_end"
    case $steps_code$steps_step in
    0* | 2) ;; # well, or used wrongly, which has been said
    *) echo "${0##*/}: ${steps_step:-the beginning}: failed ($steps_code)" >&2 ;;
    esac
    exit $steps_code
}
trap steps_over EXIT
trap 'exit 130' INT
trap 'exit 143' TERM
