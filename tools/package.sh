#!/usr/bin/env bash
# Makes the packages of Debian of a release: package.sh [FOLDER]; FOLDER is where they go,
# build/packages without. The same sources make the same packages, byte by byte, in the
# same folder and with the same compiler.
. "$(dirname "$0")/environment.sh"

install_packages
to=${1:-$root/build/packages}
# All files are of the time of the last change.
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git -C "$root" log -1 --format=%ct)}
export SOURCE_DATE_EPOCH
say "building a release in build/"
configure "$root/build" -DCMAKE_BUILD_TYPE=Release
cmake --build "$root/build"
say "packing into $to"
(cd "$root/build" && cpack -G DEB -B "$to" >/dev/null)
rm -rf "$to/_CPack_Packages"
lintian --fail-on=error --allow-root "$to"/*.deb
ls -l "$to"
