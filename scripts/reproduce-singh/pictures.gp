# Pictures of docs/reproduction/singh.md. Usage: gnuplot -e "folder='docs/reproduction/singh'" pictures.gp
set datafile separator ","
set terminal svg size 1000,420 font "sans,11" background "white"
set style fill solid 0.8 border -1
set boxwidth 0.9
set grid ytics
set key outside top center horizontal
set yrange [0:*]
columns(name) = int(system("head -1 ".folder."/".name.".csv | tr , '\n' | wc -l"))

set style data histogram
base(name) = name[strlen(name):] eq "a" ? "NO-L1" : "NO-COH"
do for [name in "figure-7a figure-7b"] {
    set ylabel "speed, ".base(name)." = 1"
    set output folder."/".name.".svg"
    plot for [i=3:columns(name)] folder."/".name.".csv" using i:xtic(2) title columnheader(i)
}

set style histogram rowstacked
set xtics rotate by 40 right
do for [name in "figure-8a figure-8b"] {
    set ylabel "interconnect bytes, ".base(name)." = 1"
    set output folder."/".name.".svg"
    plot for [i=4:9] folder."/".name.".csv" using i:xtic(strcol(2)." ".strcol(3)) title columnheader(i)
}

# A line for each program, from lifetime 0 to 6400: columns 3 to 10.
unset xtics
set xtics ("0" 0, "100" 1, "200" 2, "400" 3, "800" 4, "1600" 5, "3200" 6, "6400" 7)
set xrange [-0.2:7.2]
set xlabel "fixed lifetime, core cycles"
set key outside right vertical
file(name) = folder."/".name.".csv"
do for [name in "figure-11a figure-11b strong"] {
    names = system("cut -d, -f2 ".file(name)." | tail -n +2 | tr '\n' ' '")
    set output folder."/".name.".svg"
    set ylabel name eq "strong" ? "speed of TC-Strong over NO-L1 or NO-COH" : "speed of TC-Weak, ".base(name)." = 1"
    plot for [k=1:words(names)] "<tail -n +2 ".file(name)." | cut -d, -f3-10" matrix \
        every 1:1:0:(k-1):7:(k-1) using 1:3 with linespoints linewidth 2 title word(names, k)
}
