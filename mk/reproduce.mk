# The papers' figures again, as data and pictures under docs/reproduction.

.PHONY: reproduce-index
reproduce-index: $(B)/goldmem ## set-index spread and miss rates against associativity [khairy, 4.3, figure 12]
	@scripts/setup.sh test
	scripts/reproduce-index.sh $(B)/goldmem docs/reproduction/set-index

.PHONY: reproduce-khairy
reproduce-khairy: $(B)/goldmem ## workloads' classes by their L1, with time [khairy, figures 2 and 4; li, Table 1]
	@scripts/setup.sh test
	scripts/reproduce-khairy.sh $(B)/goldmem scripts/reproduce-khairy/workloads.txt docs/reproduction/khairy $(B)/reproduce/khairy
	scripts/reproduce/page.sh docs/reproduction/khairy docs/reproduction/khairy.md scripts/reproduce-khairy/thresholds.awk scripts/reproduce-khairy/tables.awk
	gnuplot -e "folder='docs/reproduction/khairy'" scripts/reproduce-khairy/pictures.gp
