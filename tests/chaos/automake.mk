# Breaks a running orchd, and compares the end with a fresh one.
# "make chaos MINUTES=n SEED=s": rounds of seeds s, s+1, ... for n minutes;
# without SEED they continue where the last call has ended.
EXTRA_DIST += tests/chaos/chaos.py tests/chaos/churn.py

.PHONY: chaos
chaos: all
	PYTHONDONTWRITEBYTECODE=1 top_srcdir='$(abs_top_srcdir)' \
	top_builddir='$(abs_top_builddir)' $(PYTHON3) \
		$(srcdir)/tests/chaos/chaos.py --minutes '$(or $(MINUTES),1)' \
		$${SEED:+--seed $$SEED} $(CHAOS_OPTIONS)
