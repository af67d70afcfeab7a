#!/usr/bin/env bash
# The Debian packages: built, lintian clean, unpacked in a folder of their own; there the command runs, also with --rtl, a program
# links the library, another SystemC as well, pages are well-formed and zsh completes. Usage: regress-deb.sh
set -euo pipefail
cd "$(dirname "$0")/.."
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
fail() {
    echo "regress-deb: $*" >&2
    exit 1
}

scripts/deb.sh build/deb
for package in build/deb/*.deb; do dpkg-deb -x "$package" "$scratch/root"; done
root=$scratch/root/usr
library=$root/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH)
PATH=$root/bin:$PATH

[ "$(goldmem --version)" = "goldmem $(cat VERSION)" ] || fail "goldmem --version"
XDG_CACHE_HOME=$scratch/cache goldmem run --rtl=set_index --set l1.index=ipoly:37 workload:syrk,n=8 >"$scratch/text" 2>"$scratch/errors" ||
    fail "goldmem run --rtl: $(cat "$scratch/errors")"
grep -q '^Time' "$scratch/text" || fail "goldmem run --rtl: no text"
grep -q 'the RTL of set_index agrees' "$scratch/errors" || fail "the RTL of set_index was not compared"

cat >"$scratch/user.c" <<'END'
#include <goldmem/goldmem.h>
#include <stdio.h>
int main(void) { gm_set_index index; gm_error error; return gm_set_index_parse(&index, "ipoly", 32, 42, &error) != 0 || puts("works") < 0; }
END
flags=$(PKG_CONFIG_PATH=$library/pkgconfig PKG_CONFIG_SYSROOT_DIR=$scratch/root pkg-config --cflags --libs goldmem)
# shellcheck disable=SC2086  # words
cc "$scratch/user.c" $flags -o "$scratch/user"
[ "$(LD_LIBRARY_PATH=$library "$scratch/user")" = works ] || fail "a program with the library"

# shellcheck disable=SC2086
c++ -std=c++17 docs/examples/embedding/tlm.cpp $flags -lsystemc -o "$scratch/tlm"
LD_LIBRARY_PATH=$library SYSTEMC_DISABLE_COPYRIGHT_MESSAGE=1 "$scratch/tlm" | grep -qx 'processor: 0 words wrong, 24940 ns' ||
    fail "a program of SystemC with the library"
# The Python package finds command and library of its own installation.
[ "$(cd "$scratch" && PYTHONPATH=$root/lib/python3/dist-packages /usr/bin/python3 -c 'import goldmem
memory = goldmem.Memory()
print(goldmem.SetIndex("ipoly:37")[32], goldmem.run("workload:vectoradd,n=64")["ctas"], memory.ports)')" = "5 1 15" ] || fail "the Python package"

for page in "$root"/share/man/man1/*; do
    warnings=$(LC_ALL=C.UTF-8 man --warnings -E UTF-8 -l "$page" 2>&1 >/dev/null) || fail "$page: man fails"
    [ -z "$warnings" ] || fail "$page: $warnings"
done

# complete TEXT WORD: zsh writes WORD for TEXT, in its menu or as the rest of the only choice.
complete() {
    zsh -f "$scratch/complete.zsh" "$root/share/zsh/vendor-completions" "$1" "$2" || fail "zsh does not complete '$1' to $2"
}
cat >"$scratch/complete.zsh" <<'END'
zmodload zsh/zpty
zpty shell "COLUMNS=200 zsh -f -i"
# wait_for TEXT: reads what the shell writes until TEXT is there, at most 60 s
wait_for() {
  local text= part
  repeat 600; do
    while zpty -r -t shell part; do text+=$part; done
    [[ $text == *$1* ]] && return 0
    sleep 0.1
  done
  return 1
}
zpty -w shell "PS1=; fpath=($1 \$fpath); autoload -U compinit; compinit -D -u; LISTMAX=9999; print re''ady"
wait_for ready || exit 1
zpty -n -w shell "$2"$'\t\t\t'
wait_for "$3"
END
complete 'goldmem re' report
complete 'goldmem run --pre' set=
complete 'goldmem run --preset=' gtx480
complete 'goldmem run --set l1.ind' ex=
complete 'goldmem run workload:vec' toradd
echo "regress-deb: $(find "$scratch/root" -type f | wc -l) files; goldmem, its library, man pages, zsh: work"
