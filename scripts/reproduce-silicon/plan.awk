# Prints the runs of reproduce-silicon.sh as scripts/reproduce/runs.sh reads them, two for each figure of each machine.
# Their names: MACHINE/FIGURE/N, where MACHINE is the line's number and N the changed value.
# Usage: awk -f plan.awk -v quick=0|1 facts.csv figures.txt machines.txt
BEGIN { FS = ";" }
/^#/ { next }
FILENAME ~ /facts/ { sms[$1] = $2; next }
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
}
