#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# From a fresh Debian 12 to digits that are recognised: installs what is
# missing, builds a release in build/, and classifies the example images.
# Asks for nothing. Works as root or with sudo.
. "$(dirname "$0")/environment.sh"

install_packages
say "building a release in build/"
configure "$root/build" -DCMAKE_BUILD_TYPE=Release
cmake --build "$root/build"
say "classifying the digits in docs/models/digits/images"
cd "$root"
build/tools/glow/glow classify docs/models/digits/images/*.png \
  --model docs/models/digits/digits.onnx \
  --labels docs/models/digits/labels.txt --top 1
