# Prints what bash would offer: complete.sh FILE WORD..., the last of which is begun.
. "$1"
shift
COMP_WORDS=("$@")
COMP_CWORD=$(($# - 1))
_glow
printf '%s\n' "${COMPREPLY[@]}"
