# Coverage of the RTL by instance: cover points, crosses, lines, branches and toggles of each block at its
# default parameters (suite "shipped") and of the small instances (suite "coverage").
ifeq ($(B),build)

EVERY_COVERAGE := $(COVERAGE_FLAGS) --coverage-toggle +define+GOLDMEM_CROSS
COVERAGE       := build/coverage
# Transactions of the shipped instance, and of the small instances of one build together
COVERAGE_TRANSACTIONS ?= 3000000

# $(call coverage_build,BLOCK,SUITE): build/cosim/BLOCK.every.SUITE.so and its counts
define coverage_build
$(call cosim_build,$(1).every.$(2),$(1),$(2),$(RTL_FILES),build/obj/cosim/stimulus/$(1).o,$(EVERY_COVERAGE))
$(COVERAGE)/$(1).$(2).dat: build/goldmem-cosim $(C)/$(1).every.$(2).so
	@mkdir -p $(COVERAGE)
	build/goldmem-cosim $(1) --build $(C)/$(1).every.$(2).so --transactions $(COVERAGE_TRANSACTIONS) --seed $(SEED) \
	  --bundle $(C)/$(1)-failure --coverage $$@ >$$@.log || test $$$$? -eq 6 || { cat $$@.log; exit 1; }
endef
$(foreach b,$(COSIM_BLOCKS),$(foreach s,shipped coverage,$(eval $(call coverage_build,$(b),$(s)))))

.PHONY: coverage coverage-report $(COSIM_BLOCKS:%=coverage-%)
coverage: cosim-input ## one HTML report of the RTL's coverage by instance, build/coverage/index.html: BLOCK=
	@scripts/setup.sh regress
	@rm -f $(COSIM_RUN:%=$(COVERAGE)/%.*.dat)
	@$(MAKE) --no-print-directory -s -k $(COSIM_RUN:%=coverage-%); status=$$?; \
	  $(MAKE) --no-print-directory -s coverage-report && exit $$status

$(COSIM_BLOCKS:%=coverage-%): coverage-%: $(COVERAGE)/%.shipped.dat $(COVERAGE)/%.coverage.dat
	scripts/rtl-coverage.py count $* $(SEED) $(COVERAGE_TRANSACTIONS) $(COVERAGE) \
	  $(COVERAGE)/$*.shipped.dat $(C)/$*.every.shipped.d/lanes.c $(COVERAGE)/$*.coverage.dat $(C)/$*.every.coverage.d/lanes.c

coverage-report:
	scripts/rtl-coverage.py report $(COVERAGE) $(notdir $(basename $(wildcard $(COVERAGE)/*.json)))
	genhtml --quiet --output-directory $(COVERAGE)/lines --title "seed $(SEED), commit $$(git describe --always --dirty)" \
	  $(wildcard $(COVERAGE)/*.info)

endif
