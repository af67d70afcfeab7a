# goldmem: `make help` lists the targets.
#   SANITIZE=1  build and test under AddressSanitizer and UndefinedBehaviorSanitizer (in build/sanitize)
#   DEBUG=1     unoptimised, with the blocks' invariants checked after each transaction (in build/debug)
#   LTO=1       tests of units with a library optimised at link time, as the command is (in build/lto)

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VERSION := $(shell cat VERSION)
include mk/build.mk
include mk/check.mk
include $(sort $(filter-out mk/build.mk mk/check.mk,$(wildcard mk/*.mk)))

.PHONY: all help run
all: $(B)/goldmem ## build the goldmem command

help: ## this list
	@echo 'make [TARGET]... [SANITIZE=1 | DEBUG=1]'
	@sed -nE 's/^#   ([A-Z]+=1) +(.*)/  \1\t\2/p' Makefile | expand -t 20
	@echo
	@grep -hE '^[a-z-]+:.*## ' Makefile mk/*.mk | sort | sed -E 's/^([a-z-]+):.*## /  \1\t/' | expand -t 20

run: ## set up, build, and run the main job on a built-in workload
	@scripts/setup.sh run
	@echo "Building $(B)/goldmem"
	@$(MAKE) --no-print-directory -j$(shell nproc) -s all
	$(B)/goldmem run --preset gtx480 workload:spmv
