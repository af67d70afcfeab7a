# goldmem report in a browser.

REGRESS_TARGETS += regress-report
.PHONY: regress-report
regress-report: $(B)/goldmem ## goldmem report in headless Chromium: console, layout at 400 and 1600 pixels, pictures, printing
	@scripts/setup.sh regress
	@scripts/regress-report.sh $(B)/goldmem build/report
