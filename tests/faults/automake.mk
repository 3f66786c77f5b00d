# Faults of the switch that the breakpoint catalogue has to notice.  They are
# built and tried by 'make faults', for the catalogue runs once for each, and
# FAULTS="--write" updates the table in tests/faults/README.md.  'make check'
# checks that each still fits the sources and has its row there.
TESTS += tests/faults/check_faults.sh
EXTRA_DIST += tests/faults

.PHONY: faults
faults: all
	top_srcdir='$(srcdir)' top_builddir='.' CC='$(CC)' \
		SOFTASIC_ARCHIVES='$(softasic_archives)' \
		SOFTASIC_LIBS='$(FYAML_LIBS) $(JANSSON_LIBS)' \
		ORCHCTL_LIBS='$(orchctl_orchctl_LDADD)' \
		python3 $(srcdir)/tests/faults/faults.py $(FAULTS)
