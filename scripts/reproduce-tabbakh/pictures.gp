# Pictures of docs/reproduction/tabbakh.md. Usage: gnuplot -e "folder='docs/reproduction/tabbakh'" pictures.gp
set datafile separator ","
set terminal svg noenhanced size 1000,420 font "sans,11" background "white"
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set yrange [0:*]
file(name) = folder."/".name.".csv"
columns(name) = int(system("head -1 ".file(name)." | tr , '\n' | wc -l"))

set style data histogram
set xtics rotate by 40 right
set output folder."/figure-14-time.svg"
set ylabel "execution time, rr = 1"
set logscale y 2
set yrange [0.4:16]
plot for [i=2:columns("figure-14-time")] file("figure-14-time") using i:xtic(1) title columnheader(i)
unset logscale y
set yrange [0:*]
set output folder."/figure-14-sharers.svg"
set ylabel "SMs that access a line"
plot for [i=2:columns("figure-14-sharers")] file("figure-14-sharers") using i:xtic(1) title columnheader(i)
set output folder."/figure-15.svg"
set ylabel "mean, rr = 1"
plot for [i=2:columns("figure-15")] file("figure-15") using i:xtic(1) title columnheader(i)
set output folder."/figure-16.svg"
set ylabel "qx_adpt+mgt, rr = 1"
plot for [i=2:4] file("figure-16") using i:xtic(1) title columnheader(i)

set output folder."/extras-traffic.svg"
set ylabel "off-chip traffic, rr = 1"
plot for [i=2:columns("extras-traffic")] file("extras-traffic") using i:xtic(1) title columnheader(i)

set style histogram rowstacked
set ylabel "share of the lines touched"
set output folder."/figure-3.svg"
plot for [i=2:columns("figure-3")] file("figure-3") using i:xtic(1) title columnheader(i)
set ylabel "energy of qx_adpt+mgt, rr = 1"
set output folder."/figure-17.svg"
plot for [i=3:5] "<grep -v ,qx_adpt, ".file("figure-17")." | grep -v ,rr," using i:xtic(1) title columnheader(i)

# A line for each workload, from 1 to 15 SMs.
unset xtics
set xtics 1, 1, 15
set xrange [0.8:15.2]
set yrange [0:1]
set xlabel "SMs that access a line, at most"
set ylabel "share of the lines touched"
set key outside right vertical
names = system("cut -d, -f1 ".file("figure-5")." | tail -n +2 | tr '\n' ' '")
set output folder."/figure-5.svg"
plot for [k=1:words(names)] "<tail -n +2 ".file("figure-5")." | cut -d, -f2-16" matrix \
    every 1:1:0:(k-1):14:(k-1) using ($1+1):3 with linespoints linewidth 2 title word(names, k)

set xtics auto
set xrange [*:*]
set yrange [0:*]
set xlabel "launch of Gaussian's second kernel"
set ylabel "core cycles of a CTA"
set key outside top center horizontal
set output folder."/figure-8.svg"
plot for [i=4:6] "<awk -F, 'NR == 1 || $3 > 1' ".file("figure-8") using 1:i with linespoints title columnheader(i)

set output folder."/extras-footprint.svg"
set key outside right vertical
set xlabel "footprint over the size of the L2, two launches"
set ylabel "off-chip traffic of qx_adpt+mgt, rr = 1"
codes = system("tail -n +2 ".file("footprints")." | cut -d, -f1 | sort -u | tr '\n' ' '")
plot for [k=1:words(codes)] "<awk -F, '$1 == \"".word(codes, k)."\" && $4 == 2' ".file("footprints") using 5:8 with linespoints linewidth 2 title word(codes, k)
