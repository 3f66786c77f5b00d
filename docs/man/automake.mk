# Manual pages and completion, made from what "PROGRAM --help-json" prints and
# from docs/reference.  They need Python, and the programs of a native build.
EXTRA_DIST += scripts/manual.py CHANGELOG.md
man_pages = \
	docs/man/orchctl-asic.1 \
	docs/man/orchctl-breakpoint.1 \
	docs/man/orchctl-config-file.1 \
	docs/man/orchctl-config.1 \
	docs/man/orchctl-headroom.1 \
	docs/man/orchctl-log.1 \
	docs/man/orchctl-sai.1 \
	docs/man/orchctl-show.1 \
	docs/man/orchctl-sweep.1 \
	docs/man/orchctl-twin.1 \
	docs/man/orchctl.1 \
	docs/man/orchd-breakpoint.5 \
	docs/man/orchd-chip.5 \
	docs/man/orchd-schema.5 \
	docs/man/orchd.8 \
	docs/man/orchd.conf.5 \
	docs/man/orchlab-scenario.5 \
	docs/man/orchlab.1 \
	docs/man/saihostd.8 \
	docs/man/softasic-thriftd.8 \
	docs/man/softasicd.8
man_bash = \
	docs/man/bash/orchctl \
	docs/man/bash/orchd \
	docs/man/bash/orchlab \
	docs/man/bash/saihostd \
	docs/man/bash/softasic-thriftd \
	docs/man/bash/softasicd
man_zsh = \
	docs/man/zsh/_orchctl \
	docs/man/zsh/_orchd \
	docs/man/zsh/_orchlab \
	docs/man/zsh/_saihostd \
	docs/man/zsh/_softasic-thriftd \
	docs/man/zsh/_softasicd
man_json = \
	docs/man/orchd.json \
	docs/man/softasicd.json \
	docs/man/saihostd.json \
	docs/man/softasic-thriftd.json \
	docs/man/orchctl.json \
	docs/man/orchlab.json

if HAVE_MANUAL
man_MANS = $(man_pages)
bashcompletiondir = $(datadir)/bash-completion/completions
bashcompletion_DATA = $(man_bash)
zshcompletiondir = $(datadir)/zsh/site-functions
zshcompletion_DATA = $(man_zsh)
CLEANFILES += $(man_pages) $(man_bash) $(man_zsh) $(man_json) docs/man/stamp

$(man_pages) $(man_bash) $(man_zsh): docs/man/stamp
	@:
docs/man/stamp: $(man_json) scripts/manual.py CHANGELOG.md \
		docs/reference/breakpoints.md docs/reference/chips.md \
		docs/reference/orchlab-scenario.md docs/reference/schema.md \
		docs/reference/settings.md
	$(AM_V_GEN)$(PYTHON3) $(srcdir)/scripts/manual.py \
		--version $(PACKAGE_VERSION) --source $(srcdir) \
		--out docs/man $(man_json) -- \
		$(patsubst docs/man/%,%,$(man_pages) $(man_bash) $(man_zsh))
	@touch $@

docs/man/orchd.json: orchd/orchd$(EXEEXT)
	@$(MKDIR_P) docs/man
	$(AM_V_GEN)orchd/orchd$(EXEEXT) --help-json >$@
docs/man/softasicd.json: saihostd/softasicd$(EXEEXT)
	@$(MKDIR_P) docs/man
	$(AM_V_GEN)saihostd/softasicd$(EXEEXT) --help-json >$@
docs/man/saihostd.json: saihostd/saihostd$(EXEEXT)
	@$(MKDIR_P) docs/man
	$(AM_V_GEN)saihostd/saihostd$(EXEEXT) --help-json >$@
docs/man/softasic-thriftd.json: thriftd/softasic-thriftd$(EXEEXT)
	@$(MKDIR_P) docs/man
	$(AM_V_GEN)thriftd/softasic-thriftd$(EXEEXT) --help-json >$@
docs/man/orchctl.json: orchctl/orchctl$(EXEEXT)
	@$(MKDIR_P) docs/man
	$(AM_V_GEN)orchctl/orchctl$(EXEEXT) --help-json >$@
docs/man/orchlab.json: orchlab/orchlab$(EXEEXT)
	@$(MKDIR_P) docs/man
	$(AM_V_GEN)orchlab/orchlab$(EXEEXT) --help-json >$@
endif
