# Pages made from tables in the code: `goldmem docs NAME` prints docs/NAME.md, and `goldmem docs`
# lists the names. To add a page, add a row to cmodel/cli/docs.c.

.PHONY: docs
docs: $(B)/goldmem ## write the pages of docs/ that come from tables in the code
	@for page in $$($(B)/goldmem docs); do \
	  case $$page in *.json) file=docs/$$page ;; *) file=docs/$$page.md ;; esac; \
	  $(B)/goldmem docs $$page >$$file.new && mv $$file.new $$file || exit 1; done
