# Pictures of docs/reproduction/li.md. Usage: gnuplot -e "folder='docs/reproduction/li'" pictures.gp
set datafile separator ","
set terminal svg size 1000,420 font "sans,11" background "white"
set style data histogram
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set yrange [0:*]

# Draws every column of a figure except the names, a group for each row.
columns(name) = int(system("head -1 ".folder."/".name.".csv | tr , '\n' | wc -l"))
bars = "set output folder.'/'.name.'.svg'; \
    plot for [i=3:columns(name)] folder.'/'.name.'.csv' using i:xtic(strcol(2) eq '' ? strcol(1) : strcol(2)) title columnheader(i)"

set ylabel "speed, baseline = 1"
do for [name in "figure-2 figure-8 figure-9 insensitive figure-12 figure-13a figure-13b figure-13c figure-14 figure-15"] { eval(bars) }
set ylabel "N-IPC: all accesses bypass, baseline = 1"
set datafile missing "-"
set output folder."/table-1.svg"
plot for [i=4:7] folder."/table-1.csv" using i:xtic(2) every ::::(system("wc -l <".folder."/table-1.csv") - 3) title columnheader(i)
set ylabel "hits of L1 accesses"
do for [name in "figure-10a figure-10a-CF"] { eval(bars) }
set ylabel "L2 accesses per 1000 thread instructions"
name = "figure-10b"
eval(bars)
set ylabel "L2 misses per 1000 thread instructions"
name = "figure-10c"
eval(bars)
set ylabel "time in which an L1 is blocked"
name = "blocked"
eval(bars)

set ylabel "re-references"
set output folder."/figure-11.svg"
plot for [i=2:columns("figure-11")] folder."/figure-11.csv" using i:xtic(1) title columnheader(i)

set style histogram rowstacked
do for [k=1:13] { set linetype k linecolor rgb hsv2rgb(0.7 * (13 - k) / 12.0, 0.6, 0.95) }
set yrange [0:1]
set ylabel "lines, by number of references"
name = "figure-3"
eval(bars)
set ylabel "re-references, by distance up to"
name = "figure-4"
eval(bars)
