# Pages made from tables in the code: `goldmem docs NAME` prints docs/NAME.md, and `goldmem docs`
# lists the names. To add a page, add a row to cmodel/cli/docs.c.

.PHONY: docs
docs: $(B)/goldmem ## write the pages of docs/ that come from tables in the code
	@for page in $$($(B)/goldmem docs); do \
	  $(B)/goldmem docs $$page >docs/$$page.md.new && mv docs/$$page.md.new docs/$$page.md || exit 1; done
