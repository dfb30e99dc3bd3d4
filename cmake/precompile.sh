#!/bin/sh
# SPDX-License-Identifier: MIT
#
# precompile.sh ROOT compiler argument...
#
# Compiles a precompiled header, and writes FILE.sum beside it: a sum of what its
# content follows from, the same wherever the folder ROOT lies. A compiler cache
# takes it for the file's own (CCACHE_PCH_EXTSUM), which has ROOT inside.
set -e
root=$1
shift
"$@"
before=
for argument; do
  case $before in
  -o) output=$argument ;;
  -MF) dependencies=$argument ;;
  esac
  before=$argument
done
version=$("$1" --version)
headers=$(sed 's/^[^:]*: *//; s/\\$//' "$dependencies" | xargs sha256sum)
printf '%s\n' "$*" "$version" "$headers" | sed "s|$root|.|g" | sha256sum \
  >"$output.sum"
