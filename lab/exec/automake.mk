# Runs a scenario: builds the fabric and drives its clock.
EXTRA_DIST += lab/exec/run.h
