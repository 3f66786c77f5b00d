# Breakpoint scenarios: all that is in this folder is run.
TESTS += tests/breakpoint/check_catalogue.sh tests/breakpoint/index.py
if SANITIZERS
AM_TESTS_ENVIRONMENT = BREAKPOINT_EVERY=3; export BREAKPOINT_EVERY; \
	CALIBRATE_EVERY=20; export CALIBRATE_EVERY;
endif
EXTRA_DIST += tests/breakpoint

# The catalogue for people, a line for each case; BREAKPOINT has options.
.PHONY: breakpoint
breakpoint: all
	srcdir='$(srcdir)' $(srcdir)/tests/breakpoint/check_catalogue.sh $(BREAKPOINT)

# The page about it.
.PHONY: catalogue
catalogue: all
	top_srcdir='$(srcdir)' $(srcdir)/tests/breakpoint/index.py --write
