#!/usr/bin/env bash
# Builds the Debian packages from the tracked files, and fails where lintian has an error or a warning. Usage: deb.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$1 version=$(cat VERSION)
rm -rf "$folder"
mkdir -p "$folder/source"
folder=$(realpath "$folder")
git ls-files -z | xargs -0 cp --parents -t "$folder/source"
cp -r packaging/debian "$folder/source/debian"
{
    printf 'goldmem (%s) unstable; urgency=medium\n\n  * See CHANGELOG.md.\n\n' "$version"
    printf ' -- %s  %s\n' "$(sed -n 's/^Maintainer: //p' packaging/debian/control)" "$(date -R -r CHANGELOG.md)"
} >"$folder/source/debian/changelog"
(
    cd "$folder/source"
    unset MAKEFLAGS MAKELEVEL MFLAGS
    DEB_BUILD_OPTIONS="parallel=$(nproc)" dpkg-buildpackage -us -uc -b
) >"$folder/log" 2>&1 || {
    tail -20 "$folder/log" >&2
    exit 1
}
rm -rf "$folder/source"
lintian --fail-on error,warning --allow-root --tag-display-limit 0 "$folder/goldmem_${version}_$(dpkg-architecture -qDEB_HOST_ARCH).changes"
ls "$folder"/*.deb
