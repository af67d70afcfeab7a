#!/usr/bin/env bash
# goldmem report in a real browser, headless Chromium: a page of two runs of 80 SMs and more than 100 kernels, with series, latencies
# and a sweep, and of one with miss-ratio curves, at 400 and 1600 pixels, light, dark and on paper. Checks the console, the size of the page against the window's, charts,
# text that is readable, colours in the picture. Usage: regress-report.sh GOLDMEM [FOLDER]   (FOLDER receives the screenshots)
set -euo pipefail
goldmem=$(realpath "$1")
folder=${2:-$(mktemp -d)}
mkdir -p "$folder"
folder=$(realpath "$folder") # for the browser's addresses
cd "$folder"

fail() {
    echo "regress-report: $*" >&2
    exit 1
}

# Runs the browser with further options; what pages log goes to console.txt.
browser() {
    timeout 300 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking \
        --disable-component-update --disable-sync --user-data-dir="$folder/profile" --enable-logging=stderr "$@" 2>>console.txt
}

runs() {
    local -A latency=([a]=28 [b]=56)
    for run in a b; do
        "$goldmem" run -q --preset v100 --json $run.json --series $run.csv,every=1K --per-sm --per-bank --latency \
            --set "l1.latency=${latency[$run]}" workload:gaussian,n=64
    done
    echo '{inputs: ["workload:vectoradd,n=4096", "workload:syrk,n=16"], grid: {l1.ways: [4, full], l1.mshrs: [8, 16, 32]}}' >s.yaml
    "$goldmem" sweep -q s.yaml >/dev/null
    "$goldmem" run -q --json c.json --analyze=mrc --per-set workload:gaussian,n=64
    "$goldmem" report -o page.html --series a.csv --series b.csv a.json b.json c.json s.sweep/results.jsonl
    jq -e '(.kernels | length) >= 100 and (.per_sm | length) == 80' a.json >/dev/null || fail "the runs are too small"
}

# A copy of the page that measures itself in the browser, and tells the page around it: no window is narrower than 500 pixels.
measure() {
    {
        sed 's,</body></html>,,' page.html
        cat <<'EOF'
<script>addEventListener("load", () => {
const all = q => [...document.querySelectorAll(q)], box = e => e.getBoundingClientRect();
const outside = all("main *").filter(e => !e.closest(".scroll, .wide, details, svg") && box(e).right > innerWidth + 1);
const style = getComputedStyle(document.body);
parent.postMessage("MEASURED" + JSON.stringify({
  width: innerWidth, scroll: document.documentElement.scrollWidth, outside: outside.length,
  charts: all("figure svg").length, empty: all("figure svg").filter(s => box(s).height < 10).length,
  bars: all("svg rect").length, marks: all("line.mark").filter(m => box(m).height > 50).length, letters: 13 * Math.min(...all("svg").map(s => box(s).width / 480)),
  background: style.backgroundColor, text: style.color,
  links: all("nav a").filter(a => !document.querySelector(a.getAttribute("href"))).length}), "*")});
</script></body></html>
EOF
    } >measured.html
}

# Checks what the page measures at a width.
check() {
    local width=$1 measured
    shift
    echo "<iframe width=\"$width\" height=\"2000\" style=\"border:0\" src=\"measured.html\"></iframe><pre></pre><script>
        addEventListener('message', e => document.querySelector('pre').textContent = e.data)</script>" >around.html
    browser --window-size=1700,2000 --virtual-time-budget=20000 --dump-dom "$@" "file://$folder/around.html" >dom.html
    measured=$(grep -o 'MEASURED{.*}' dom.html | tail -n 1 | sed 's/^MEASURED//')
    jq -e --argjson width "$width" '.width == $width and .scroll <= $width and .outside == 0 and .charts == 33 and .marks == 25 and .empty == 0 and
        .bars > 2000 and .letters >= 9 and .links == 0' <<<"$measured" >/dev/null || fail "at $width pixels: $measured"
    echo "$width pixels${1:+, $1}: $(jq -r '"\(.charts) charts, \(.bars) bars and cells, letters of \(.letters | floor) pixels, \(.text) on \(.background)"' <<<"$measured")"
}

# Takes a screenshot, which must have the background at its corner and many colours.
picture() {
    local name=$1 width=$2
    shift 2
    browser --window-size="$width,2000" --screenshot="$folder/$name.png" "$@" "file://$folder/page.html" >/dev/null
    python3 - "$name" <<'EOF' || fail "$name.png"
import struct, sys, zlib
data, at, rows, header = open(sys.argv[1] + ".png", "rb").read(), 8, b"", None
while at < len(data):
    length, kind = struct.unpack(">I4s", data[at:at + 8])
    part = data[at + 8:at + 8 + length]
    header = struct.unpack(">IIBB", part[:10]) if kind == b"IHDR" else header
    rows += part if kind == b"IDAT" else b""
    at += length + 12
width, height, depth, colour = header
size = {2: 3, 6: 4}[colour]
flat, before, colours, corner = zlib.decompress(rows), bytearray(width * size), {}, None
for y in range(height):
    kind, line = flat[y * (width * size + 1)], bytearray(flat[y * (width * size + 1) + 1:(y + 1) * (width * size + 1)])
    for x in range(len(line)):
        left, up, corner_up = (line[x - size] if x >= size else 0), before[x], (before[x - size] if x >= size else 0)
        guess = left + up - corner_up
        paeth = min((left, up, corner_up), key=lambda v: abs(guess - v))
        line[x] = (line[x] + (0, left, up, (left + up) // 2, paeth)[kind]) & 255
    for x in range(0, len(line), size * 4):
        colours[bytes(line[x:x + 3])] = colours.get(bytes(line[x:x + 3]), 0) + 1
    corner, before = corner or bytes(line[:3]), line
most = max(colours, key=colours.get)
share = colours[most] / sum(colours.values())
assert most == corner and 0.3 < share < 0.99 and len(colours) > 20, (most, corner, share, len(colours))
print(f"{sys.argv[1]}.png: {width} x {height}, {len(colours)} colours, {share:.0%} background")
EOF
}

runs
measure
: >console.txt
check 400
check 1600
check 1600 --force-dark-mode --blink-settings=preferredColorScheme=0
picture narrow 400
picture wide 1600
picture dark 1600 --force-dark-mode --blink-settings=preferredColorScheme=0
browser --print-to-pdf="$folder/page.pdf" "file://$folder/page.html" >/dev/null
[ "$(head -c 5 page.pdf)" = %PDF- ] || fail "not printed"
if grep -E 'CONSOLE|Uncaught' console.txt; then fail "the browser's console has messages"; fi
echo "no message in the console; printed: $(($(stat -c %s page.pdf) / 1024)) KB; the page has $(($(stat -c %s page.html) / 1024)) KB"
