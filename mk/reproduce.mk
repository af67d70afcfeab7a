# The papers' figures again, as data and pictures under docs/reproduction.

.PHONY: reproduce-index
reproduce-index: $(B)/goldmem ## set-index spread and miss rates against associativity [khairy, 4.3, figure 12]
	@scripts/setup.sh test
	scripts/reproduce-index.sh $(B)/goldmem docs/reproduction/set-index
