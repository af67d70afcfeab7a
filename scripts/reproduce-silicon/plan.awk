# Prints the runs of reproduce-silicon.sh as scripts/reproduce/runs.sh reads them, two for each figure of each machine.
# Their names: MACHINE/FIGURE/N, where MACHINE is the line's number and N the changed value. Figure curve.KB: a chase over
# that footprint, in its second and third time around; not if quick.
# Usage: awk -f plan.awk -v quick=0|1 facts.csv silicon_curve.csv figures.txt machines.txt
BEGIN { FS = ";" }
/^#/ { next }
FILENAME ~ /facts/ { sms[$1] = $2; next }
FILENAME ~ /curve/ { points[$1] = points[$1] " " $2; next }
FILENAME ~ /figures/ { figure[++figures] = $0; next }
{
    machine++
    for (i = 1; i <= figures; i++) {
        split(figure[i], f, ";")
        if ($4 != "" && index(" " $4 " ", " " f[1] " ") == 0) continue
        for (k = 4; k <= 5; k++) {
            n = f[k + 2 * quick]
            workload = f[3]
            sub(/%/, n, workload)
            if (match(workload, /[SD]\*[0-9]+/)) {
                product = substr(workload, RSTART, RLENGTH)
                workload = substr(workload, 1, RSTART - 1) (substr(product, 1, 1) == "D" ? 2 : 1) * sms[$1] * substr(product, 3) \
                    substr(workload, RSTART + RLENGTH)
            }
            sub(/=S/, "=" sms[$1], workload)
            sub(/=D/, "=" 2 * sms[$1], workload)
            print workload, $1, machine "/" f[1] "/" n, $3, f[8]
        }
    }
    count = $2 == "" && !quick ? split(points[$1], kb, " ") : 0
    for (i = 1; i <= count; i++) {
        lines = int(kb[i] * 8)
        for (k = 2; k <= 3; k++)
            print "chase,order=1,bytes=" lines * 128 ",loads=" k * lines, $1, machine "/curve." kb[i] "/" k * lines
    }
}
