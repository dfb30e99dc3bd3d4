#!/usr/bin/env bash
# SPDX-License-Identifier: MIT
#
# Makes the packages of a release: package.sh [--portable | --wheel | --check] [FOLDER];
# FOLDER is where they go, build/packages without. They are Debian's, or with --portable one
# archive for any Linux of x86-64 with glibc 2.31 or later, or with --wheel Python's wheels
# for the same systems. The same sources make the same packages,
# byte by byte, in the same folder and with the same compiler: --check builds twice, the
# second time without what a compiler cache has, and fails where a package differs.
. "$(dirname "$0")/environment.sh"

what=debian
case "${1:-}" in
--portable | --wheel | --check)
  what=${1#--}
  shift
  ;;
esac
to=$(realpath -m "${1:-$root/build/packages}")
# All files are of the time of the last change.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
# dpkg-shlibdeps looks for libraries in an order of Perl's, which is another one each time;
# of two that lead to one file, one may be in a package that names no dependency.
export PERL_HASH_SEED=0

make_debian() {
  say "building a release in build/"
  configure "$root/build" -DCMAKE_BUILD_TYPE=Release
  cmake --build "$root/build"
  say "packing into $to"
  (cd "$root/build" && cpack -G DEB -B "$to" >/dev/null)
  rm -rf "$to/_CPack_Packages"
  lintian --fail-on=error --allow-root "$to"/*.deb
}

check_debian() {
  local sums
  make_debian
  sums=$(cd "$to" && sha256sum -- *.deb)
  cmake --build "$root/build" --target clean
  rm -- "$to"/*.deb # what is equal would stay
  CCACHE_DISABLE=1 make_debian
  say "the packages of both builds"
  (cd "$to" && sha256sum --check <<<"$sums")
}

# Licences of what is a part of the programs, as Debian's packages have them.
notices() {
  local package
  cat "$root/LICENSE"
  for package in llvm-22-dev libmlir-22-dev libcli11-dev nlohmann-json3-dev \
    libstb-dev libxxhash-dev python3-onnx libprotobuf-dev libre2-dev libpcre2-dev libutf8proc-dev libpng-dev \
    libjpeg62-turbo-dev zlib1g-dev libzstd-dev gcc-12-base; do
    printf '\n\nParts are of %s:\n\n' "$package"
    cat "/usr/share/doc/$package/copyright"
  done
}

# Archives of protobuf and re2 as code for shared libraries, from the sources of the
# installed versions, which come from where the system's packages come from.
portable_archives() {
  local to=$1 lists=$1/lists file package version
  rm -rf "$to"
  mkdir -p "$lists/partial" "$to/sources"
  for file in /etc/apt/sources.list.d/*.sources; do
    [ ! -e "$file" ] || sed 's/^Types:.*/Types: deb-src/' "$file" >"$to/sources/${file##*/}"
  done
  for file in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
    [ ! -e "$file" ] || sed -n 's/^deb /deb-src /p' "$file" >>"$to/sources/system.list"
  done
  local apt=(apt-get -qq -o Dir::Etc::sourcelist=/dev/null
    -o "Dir::Etc::sourceparts=$to/sources" -o "Dir::State::lists=$lists")
  # A repository without sources gives a warning.
  "${apt[@]}" update || true
  for package in libprotobuf-dev libre2-dev; do
    # shellcheck disable=SC2016 # a field of dpkg
    version=$(dpkg-query -W -f='${source:Package}=${source:Version}' "$package")
    (cd "$to" && "${apt[@]}" source "$version" >/dev/null)
  done
  cmake -G Ninja -S "$to"/protobuf-* -B "$to/protobuf" --log-level=WARNING \
    -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON \
    -DCMAKE_C_COMPILER=clang-22 -DCMAKE_CXX_COMPILER=clang++-22 \
    -DBUILD_SHARED_LIBS=OFF -Dprotobuf_BUILD_TESTS=OFF -Dprotobuf_BUILD_PROTOC_BINARIES=OFF
  cmake --build "$to/protobuf" --target libprotobuf
  # Its tables are those of the distribution's unicode-data.
  make -C "$to"/re2-* -j"$(nproc)" REBUILD_TABLES=1 CXX=clang++-22 \
    CXXFLAGS="-O2 -fPIC -pthread -std=c++11" obj/libre2.a
  mkdir "$to/archives"
  cp "$to/protobuf/libprotobuf.a" "$to"/re2-*/obj/libre2.a "$to/archives"
}

# build_portable BUILD
build_portable() {
  say "building a release in build-portable/"
  portable_archives "$1/sources"
  configure "$1" -DCMAKE_BUILD_TYPE=Release -DGLOW_PORTABLE=ON \
    "-DGLOW_PORTABLE_ARCHIVES=$1/sources/archives"
  cmake --build "$1"
}

make_wheel() {
  local build=$root/build-portable component
  build_portable "$build"
  rm -rf "$build/tree"
  for component in tools library runtime python plugins; do
    cmake --install "$build" --strip --component "$component" --prefix "$build/tree" >/dev/null
  done
  mkdir -p "$build/tree/share/doc/glow"
  notices >"$build/tree/share/doc/glow/copyright"
  say "packing into $to"
  /usr/bin/python3 "$root/tools/wheel.py" --platform manylinux_2_31_x86_64 "$build/tree" "$to"
}

make_portable() {
  local build=$root/build-portable version name stage component programs
  build_portable "$build"
  version=$(sed -n 's/^CMAKE_PROJECT_VERSION:STATIC=//p' "$build/CMakeCache.txt")
  name=glow-$version-linux-x86_64
  stage=$build/stage
  rm -rf "$stage"
  for component in tools library runtime onnxruntime development python documentation; do
    cmake --install "$build" --strip --component "$component" \
      --prefix "$stage/$name" >/dev/null
  done
  # The module for Python finds the libraries beside itself.
  ln -s ../../../libglow.so.0 ../../../libglow-runtime.so.0 \
    "$stage/$name/lib/python3/dist-packages/glow/"
  notices >"$stage/$name/share/doc/glow/copyright"
  programs=("$stage/$name"/bin/* "$stage/$name"/lib/*.so "$stage/$name"/lib/glow/*.so*)
  /usr/bin/python3 "$root/tools/needed_symbols.py" "${programs[@]}"
  say "packing into $to"
  mkdir -p "$to"
  tar --sort=name --mtime="@$SOURCE_DATE_EPOCH" --owner=0 --group=0 --numeric-owner \
    --mode=go+rX,go-w -C "$stage" -c "$name" | xz -T2 >"$to/$name.tar.xz"
}

[[ $what != portable && $what != wheel ]] || packages+=(unicode-data)
install_packages
case $what in
debian) make_debian ;;
check) check_debian ;;
portable) make_portable ;;
wheel) make_wheel ;;
esac
ls -l "$to"
