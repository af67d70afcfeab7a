# Pictures of docs/reproduction/khairy.md. Usage: gnuplot -e "folder='docs/reproduction/khairy'" pictures.gp
set datafile separator ","
set terminal svg size 1000,420 font "sans,11" background "white"
set style data histogram
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set xtics rotate by 40 right
classes = folder."/classes.csv"

set output folder."/figure-2.svg"
set ylabel "speed, bounded 16 KB L1 = 1"
set logscale y 2
set yrange [0.25:64]
plot classes using 3:xtic(1) every ::1 title "no L1", \
     "" using (1) every ::1 title "bounded", \
     "" using 4 every ::1 title "unbounded L1", \
     "" using 5 every ::1 title "unbounded L1 and L2"

set output folder."/figure-4b.svg"
set ylabel "L1 misses"
set logscale y 10
set yrange [0.01:10000]
plot classes using 15:xtic(1) every ::1 title "per 1000 thread instructions", \
     "" using 14 every ::1 title "per 1000 cycles, all SMs"

unset logscale y
set output folder."/figure-4a.svg"
set ylabel "reservation fails per 1000 cycles, all SMs"
set yrange [0:*]
set style histogram rowstacked
plot for [column=10:13] classes using column:xtic(1) title columnheader(column)
