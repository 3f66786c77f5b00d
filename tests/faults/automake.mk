# Faults of the switch that the breakpoint catalogue has to notice; not part of
# 'make check', for the catalogue runs once for each.
EXTRA_DIST += tests/faults

.PHONY: faults
faults: all
	top_srcdir='$(srcdir)' top_builddir='.' CC='$(CC)' \
		python3 $(srcdir)/tests/faults/faults.py $(FAULTS)
