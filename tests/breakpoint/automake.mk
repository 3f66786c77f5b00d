# Breakpoint scenarios: all that is in this folder is run.
TESTS += tests/breakpoint/check_catalogue.sh
EXTRA_DIST += tests/breakpoint

# The catalogue for people, a line for each case; BREAKPOINT has options.
.PHONY: breakpoint
breakpoint: all
	srcdir='$(srcdir)' $(srcdir)/tests/breakpoint/check_catalogue.sh $(BREAKPOINT)
