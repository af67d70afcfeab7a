# Installing: the command with its pages and completions, libraries, headers, pkg-config file, Python package; Debian packages.

MAN         := build/man
COMPLETIONS := build/completions
SUBCOMMANDS := run sweep compare report litmus workloads presets trace index gates docs
MAN_PAGES   := $(MAN)/goldmem.1 $(SUBCOMMANDS:%=$(MAN)/goldmem-%.1)

# A page is the command's own --help; its date is that of the changelog.
$(MAN_PAGES): $(MAN)/%.1: scripts/man-page.awk $(B)/goldmem CHANGELOG.md
	@mkdir -p $(@D)
	subcommand='$(subst goldmem,,$(subst goldmem-,,$*))'; $(B)/goldmem $$subcommand --help | \
	  awk -v page=$* -v version=$(VERSION) -v date=$$(date -r CHANGELOG.md +%F) -f scripts/man-page.awk \
	  -v name="$$($(B)/goldmem --help | sed -n "s/^  $${subcommand:-none}  *//p;$${subcommand:+d;}3{s/^A/a/;s/[.]$$//;p}")" \
	  -v also='$(filter-out $*,goldmem $(if $(filter goldmem,$*),$(SUBCOMMANDS:%=goldmem-%)))' >$@

$(COMPLETIONS)/goldmem.bash $(COMPLETIONS)/_goldmem: $(COMPLETIONS)/%: scripts/completions.sh $(B)/goldmem
	@mkdir -p $(@D)
	scripts/completions.sh $(B)/goldmem $* >$@

.PHONY: man completions install uninstall deb
man: $(MAN_PAGES) ## man pages, from --help
completions: $(COMPLETIONS)/goldmem.bash $(COMPLETIONS)/_goldmem ## completions for bash and zsh, from --help

INSTALLED := $(DESTDIR)$(PREFIX)
LIBRARY   ?= lib
PYTHON_LIBRARY ?= lib/python3/dist-packages
# What `goldmem run --rtl` of an installed command copies and builds: C model, RTL and what joins them.
RTL_SOURCES := Makefile VERSION mk scripts cmodel cosim rtl tb presets tests/cosim

install: $(B)/goldmem $(B)/libgoldmem.a $(B)/libgoldmem.so man completions ## install the command, man pages, completions, libraries, headers, pkg-config file and Python package
	install -d $(addprefix $(INSTALLED)/,bin $(LIBRARY)/pkgconfig include/goldmem/ports share/man/man1 share/bash-completion/completions \
	  share/zsh/site-functions share/goldmem $(PYTHON_LIBRARY)/goldmem)
	install -m 755 $(B)/goldmem $(INSTALLED)/bin/goldmem
	install -m 644 $(B)/libgoldmem.a $(INSTALLED)/$(LIBRARY)/libgoldmem.a
	install -m 755 $(B)/libgoldmem.so $(INSTALLED)/$(LIBRARY)/libgoldmem.so.0
	ln -sf libgoldmem.so.0 $(INSTALLED)/$(LIBRARY)/libgoldmem.so
	install -m 644 cmodel/include/goldmem/*.h cmodel/include/goldmem/*.hpp $(INSTALLED)/include/goldmem/
	install -m 644 cmodel/include/goldmem/ports/*.h $(INSTALLED)/include/goldmem/ports/
	sed -e 's|@PREFIX@|$(PREFIX)|; s|@VERSION@|$(VERSION)|; s|@LIBRARY@|$(LIBRARY)|' scripts/goldmem.pc.in >$(INSTALLED)/$(LIBRARY)/pkgconfig/goldmem.pc
	install -m 644 python/goldmem/*.py $(INSTALLED)/$(PYTHON_LIBRARY)/goldmem/
	install -m 644 $(MAN_PAGES) $(INSTALLED)/share/man/man1/
	install -m 644 $(COMPLETIONS)/goldmem.bash $(INSTALLED)/share/bash-completion/completions/goldmem
	install -m 644 $(COMPLETIONS)/_goldmem $(INSTALLED)/share/zsh/site-functions/_goldmem
	tar -c --sort=name --owner=0 --group=0 --numeric-owner --mtime=@$$(stat -c %Y CHANGELOG.md) $(RTL_SOURCES) \
	  --no-recursion tests/unit tests/golden tests/system tests/support | xz -T1 >$(INSTALLED)/share/goldmem/rtl-source.tar.xz

uninstall: ## remove what install put there
	rm -f $(addprefix $(INSTALLED)/,bin/goldmem $(LIBRARY)/libgoldmem.a $(LIBRARY)/libgoldmem.so $(LIBRARY)/libgoldmem.so.0 $(LIBRARY)/pkgconfig/goldmem.pc \
	  share/bash-completion/completions/goldmem share/zsh/site-functions/_goldmem $(MAN_PAGES:$(MAN)/%=share/man/man1/%))
	rm -rf $(INSTALLED)/include/goldmem $(INSTALLED)/share/goldmem $(INSTALLED)/$(PYTHON_LIBRARY)/goldmem

deb: ## Debian packages of the command, library and headers, lintian clean, in build/deb
	scripts/setup.sh regress
	scripts/deb.sh build/deb

REGRESS_TARGETS += regress-deb
.PHONY: regress-deb
regress-deb: ## Debian packages: lintian, installed in a folder of their own, the command and a program with the library run
	scripts/setup.sh regress
	scripts/regress-deb.sh

REGRESS_TARGETS += regress-notebooks
.PHONY: regress-notebooks
regress-notebooks: $(B)/goldmem $(B)/libgoldmem.so ## the notebooks of python/notebooks/, executed by Debian's Jupyter
	scripts/setup.sh regress
	scripts/regress-notebooks.sh $(B)
