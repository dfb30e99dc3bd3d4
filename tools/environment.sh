# SPDX-License-Identifier: MIT
#
# What quickstart.sh and check.sh share; sourced, not run.

set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

# The same sources in another folder hit the same cache.
export CCACHE_BASEDIR=$root CCACHE_NOHASHDIR=1
# Precompiled headers are known by the sums beside them (cmake/precompile.sh).
export CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1

say() { printf '== %s\n' "$*"; }

packages=(cmake ninja-build ccache git clang-format-22 clang-tidy-22 python3 python3-dev python3-numpy python3-onnx python3-pytest python3-markdown
  python3-pil python3-psutil clang-22 lld-22 liblld-22-dev llvm-22-dev llvm-22-tools libmlir-22-dev
  mlir-22-tools libclang-rt-22-dev libzstd-dev zlib1g-dev libonnx-dev
  libonnx-testdata libprotobuf-dev protobuf-compiler libgrpc++-dev
  protobuf-compiler-grpc libopenmpi-dev openmpi-bin libpng-dev
  libjpeg62-turbo-dev libtiff-dev libwebp-dev libopenjp2-7-dev libstb-dev nlohmann-json3-dev libcli11-dev libgtest-dev
  libre2-dev libpcre2-dev libutf8proc-dev pkg-config
  pocl-opencl-icd ocl-icd-opencl-dev opencl-headers oclgrind
  libxml2-dev libedit-dev libcurl4-openssl-dev libxxhash-dev qemu-user nodejs gdb
  gcc-aarch64-linux-gnu libc6-dev-arm64-cross dpkg-dev file fakeroot lintian)

# Installs what is missing from Debian's packages.
install_packages() {
  local missing=() package
  for package in "${packages[@]}"; do
    dpkg-query -W -f='${Status}' "$package" 2>/dev/null |
      grep 'install ok installed' >/dev/null || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "all packages are installed"
    return
  fi
  say "installing ${missing[*]}"
  local sudo=()
  [ "$(id -u)" -eq 0 ] || sudo=(sudo)
  "${sudo[@]}" apt-get update -qq
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq \
    --no-install-recommends "${missing[@]}" >/dev/null
}

# configure DIR ARGUMENT...: a build folder with the packaged compiler.
configure() {
  local dir=$1
  shift
  local launcher=()
  if command -v ccache >/dev/null; then
    launcher=(-DCMAKE_C_COMPILER_LAUNCHER=ccache
      -DCMAKE_CXX_COMPILER_LAUNCHER=ccache)
  fi
  cmake -G Ninja -S "$root" -B "$dir" -DCMAKE_C_COMPILER=clang-22 \
    -DCMAKE_CXX_COMPILER=clang++-22 \
    -DCMAKE_EXE_LINKER_FLAGS=-fuse-ld=lld-22 "${launcher[@]}" "$@" >/dev/null
}
