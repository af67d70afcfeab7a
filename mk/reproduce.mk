# Reproduces the papers' figures as data and pictures under docs/reproduction.

.PHONY: reproduce-index
reproduce-index: $(B)/goldmem ## set-index spread, and PRIC's speed against associativity [khairy, 4.3, figure 12]
	@scripts/setup.sh regress
	scripts/reproduce-index.sh $(B)/goldmem scripts/reproduce-khairy/workloads.txt docs/reproduction/set-index $(B)/reproduce/index
	scripts/reproduce/page.sh docs/reproduction/set-index docs/reproduction/set-index.md scripts/reproduce-index/tables.awk
	gnuplot -e "folder='docs/reproduction/set-index'" scripts/reproduce-index/pictures.gp

# QUICK=1: small workloads, output beneath build/ instead of docs/.
KHAIRY := scripts/reproduce-khairy
KHAIRY_LIST := $(KHAIRY)/$(if $(QUICK),quick,workloads).txt
KHAIRY_DATA := $(if $(QUICK),$(B)/reproduce/khairy-quick,docs/reproduction/khairy)
KHAIRY_PAGE := $(if $(QUICK),$(KHAIRY_DATA)/khairy.md,docs/reproduction/khairy.md)
.PHONY: reproduce-khairy
reproduce-khairy: $(B)/goldmem ## classes of workloads, and what the techniques of [khairy] gain [figures 2 to 4, 8 to 11]; QUICK=1 for small workloads
	@scripts/setup.sh regress
	$(KHAIRY).sh $(B)/goldmem $(KHAIRY_LIST) $(KHAIRY_DATA) $(B)/reproduce/khairy-cache$(if $(QUICK),-quick)
	$(if $(QUICK),cp docs/reproduction/khairy.md $(KHAIRY_PAGE))
	scripts/reproduce/page.sh $(KHAIRY_DATA) $(KHAIRY_PAGE) $(KHAIRY)/thresholds.awk $(KHAIRY)/tables.awk
	gnuplot -e "folder='$(KHAIRY_DATA)'" $(KHAIRY)/pictures.gp

LI := scripts/reproduce-li
LI_LIST := $(LI)/$(if $(QUICK),quick,workloads).txt
LI_DATA := $(if $(QUICK),$(B)/reproduce/li-quick,docs/reproduction/li)
LI_PAGE := $(if $(QUICK),$(LI_DATA)/li.md,docs/reproduction/li.md)
.PHONY: reproduce-li
reproduce-li: $(B)/goldmem ## the evaluation of the decoupled L1 [li, figures 2 to 15]; QUICK=1 for small workloads
	@scripts/setup.sh regress
	$(LI).sh $(B)/goldmem $(LI_LIST) $(LI_DATA) $(B)/reproduce/li-cache$(if $(QUICK),-quick)
	$(if $(QUICK),cp docs/reproduction/li.md $(LI_PAGE))
	scripts/reproduce/page.sh $(LI_DATA) $(LI_PAGE) $(LI)/tables.awk
	gnuplot -e "folder='$(LI_DATA)'" $(LI)/pictures.gp

SINGH := scripts/reproduce-singh
SINGH_LIST := $(SINGH)/$(if $(QUICK),quick,workloads).txt
SINGH_DATA := $(if $(QUICK),$(B)/reproduce/singh-quick,docs/reproduction/singh)
SINGH_PAGE := $(if $(QUICK),$(SINGH_DATA)/singh.md,docs/reproduction/singh.md)
.PHONY: reproduce-singh
reproduce-singh: $(B)/goldmem ## Temporal Coherence and directories [singh, figures 1, 7 to 12, Table 1]; QUICK=1 for small workloads
	@scripts/setup.sh regress
	$(SINGH).sh $(B)/goldmem $(SINGH_LIST) $(SINGH_DATA) $(B)/reproduce/singh-cache$(if $(QUICK),-quick)
	$(if $(QUICK),cp docs/reproduction/singh.md $(SINGH_PAGE))
	scripts/reproduce/page.sh $(SINGH_DATA) $(SINGH_PAGE) $(SINGH)/tables.awk
	gnuplot -e "folder='$(SINGH_DATA)'" $(SINGH)/pictures.gp

ANSSARI := scripts/reproduce-anssari
ANSSARI_LIST := $(ANSSARI)/$(if $(QUICK),quick,workloads).txt
ANSSARI_DATA := $(if $(QUICK),$(B)/reproduce/anssari-quick,docs/reproduction/anssari)
ANSSARI_PAGE := $(if $(QUICK),$(ANSSARI_DATA)/anssari.md,docs/reproduction/anssari.md)
.PHONY: reproduce-anssari
reproduce-anssari: $(B)/goldmem ## hybrid caching: sharing tracker and bypassing on contention [anssari, figures 4.1 to 4.6]; QUICK=1 for small workloads
	@scripts/setup.sh regress
	$(ANSSARI).sh $(B)/goldmem $(ANSSARI_LIST) $(ANSSARI_DATA) $(B)/reproduce/anssari-cache$(if $(QUICK),-quick)
	$(if $(QUICK),cp docs/reproduction/anssari.md $(ANSSARI_PAGE))
	scripts/reproduce/page.sh $(ANSSARI_DATA) $(ANSSARI_PAGE) scripts/reproduce/csv-tables.awk $(ANSSARI)/tables.awk
	gnuplot -e "folder='$(ANSSARI_DATA)'" $(ANSSARI)/pictures.gp

TABBAKH := scripts/reproduce-tabbakh
TABBAKH_LIST := $(TABBAKH)/$(if $(QUICK),quick,workloads).txt
TABBAKH_DATA := $(if $(QUICK),$(B)/reproduce/tabbakh-quick,docs/reproduction/tabbakh)
TABBAKH_PAGE := $(if $(QUICK),$(TABBAKH_DATA)/tabbakh.md,docs/reproduction/tabbakh.md)
.PHONY: reproduce-tabbakh
reproduce-tabbakh: $(B)/goldmem ## sharing-aware CTA scheduling and caches [tabbakh, figures 3, 5, 8, 14 to 17]; QUICK=1 for small workloads
	@scripts/setup.sh regress
	$(TABBAKH).sh $(B)/goldmem $(TABBAKH_LIST) $(TABBAKH_DATA) $(B)/reproduce/tabbakh-cache$(if $(QUICK),-quick)
	$(if $(QUICK),cp docs/reproduction/tabbakh.md $(TABBAKH_PAGE))
	scripts/reproduce/page.sh $(TABBAKH_DATA) $(TABBAKH_PAGE) scripts/reproduce/csv-tables.awk $(TABBAKH)/tables.awk
	gnuplot -e "folder='$(TABBAKH_DATA)'" $(TABBAKH)/pictures.gp

# The published figures beside ours are in tests/golden/silicon.csv.
SILICON := scripts/reproduce-silicon
SILICON_DATA := $(if $(QUICK),$(B)/reproduce/silicon-quick,docs/reproduction/silicon)
SILICON_PAGE := $(if $(QUICK),$(SILICON_DATA)/silicon.md,docs/reproduction/silicon.md)
.PHONY: reproduce-silicon
reproduce-silicon: $(B)/goldmem ## latencies and bandwidths of modern GPUs beside published ones; QUICK=1 for short runs
	@scripts/setup.sh regress
	QUICK=$(if $(QUICK),1,0) $(SILICON).sh $(B)/goldmem $(SILICON_DATA) $(B)/reproduce/silicon-cache$(if $(QUICK),-quick)
	$(if $(QUICK),cp docs/reproduction/silicon.md $(SILICON_PAGE))
	scripts/reproduce/page.sh $(SILICON_DATA) $(SILICON_PAGE) $(SILICON)/tables.awk

.PHONY: hardware-cost
hardware-cost: ## what conventional and decoupled L1 tags cost: memories, flops, gates of their RTL [li, 6.5]
	@scripts/setup.sh test
	scripts/hardware-cost.sh docs/reproduction/hardware-cost
	scripts/reproduce/page.sh docs/reproduction/hardware-cost docs/reproduction/hardware-cost.md scripts/hardware-cost-tables.awk

REGRESS_TARGETS += regress-hardware-cost conventional-tags
.PHONY: regress-hardware-cost conventional-tags
regress-hardware-cost:
	scripts/hardware-cost.sh $(B)/reproduce/hardware-cost
	diff -r docs/reproduction/hardware-cost $(B)/reproduce/hardware-cost

conventional-tags: ## the conventional tags of hardware-cost answer as tag_store with threshold 0
	scripts/conventional-tags.sh
