# Pictures of docs/reproduction/set-index.md. Usage: gnuplot -e "folder='docs/reproduction/set-index'" pictures.gp
set datafile separator ","
set terminal svg size 820,360 font "sans,11" background "white"
set style data histogram
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set output folder."/spread.svg"
set ylabel "per divergent warp load"
set yrange [0:35]
plot folder."/spread.csv" using 4:xtic(strcol(1)." ".strcol(2)) every ::1 title "different sets", \
     "" using 5 every ::1 title "lines in the fullest set"

# The last row holds means.
set terminal svg size 900,400 font "sans,11" background "white"
set key outside right
set output folder."/figure-12.svg"
set ylabel "speed, 4-way sequential = 1"
set logscale y 2
set yrange [0.5:64]
stats folder."/figure-12.csv" every ::1 using 2 nooutput
last = STATS_records - 1
plot for [column=2:6] folder."/figure-12.csv" every ::1::last using column:xtic(1) title word("PRIC 16-way 32-way 64-way full", column - 1)
