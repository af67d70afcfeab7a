# Pictures of docs/reproduction/anssari.md. Usage: gnuplot -e "folder='docs/reproduction/anssari'" pictures.gp
set datafile separator ","
set terminal svg size 1000,420 font "sans,11" background "white"
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set yrange [0:*]
columns(name) = int(system("head -1 ".folder."/".name.".csv | tr , '\n' | wc -l"))

set style data histogram
set ylabel "DRAM bytes, L2 of 1 MB alone = 1"
do for [name in "figure-4.1 figure-4.3 figure-4.4 figure-4.5"] {
    set output folder."/".name.".svg"
    plot for [i=2:columns(name)] folder."/".name.".csv" using i:xtic(1) title columnheader(i)
}
set ylabel "loads that the L1 does not serve"
set output folder."/figure-4.2.svg"
plot for [i=2:3] folder."/figure-4.2.csv" using i:xtic(1) title columnheader(i)

set style histogram rowstacked
set xtics rotate by 40 right
set ylabel "energy, L2 of 1 MB alone = 1"
set output folder."/figure-4.6.svg"
plot for [i=3:7] folder."/figure-4.6.csv" using i:xtic(strcol(1)." ".strcol(2)) title columnheader(i)
