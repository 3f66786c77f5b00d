# The dependency graph, the planner and the executor.  Pure.
noinst_LIBRARIES += libreconcile.a
libreconcile_a_SOURCES = \
	orchd/reconcile/answer.c orchd/reconcile/answer.h \
	orchd/reconcile/bounds.c orchd/reconcile/bounds.h \
	orchd/reconcile/condition.c orchd/reconcile/condition.h \
	orchd/reconcile/create.c orchd/reconcile/create.h \
	orchd/reconcile/compare.c orchd/reconcile/compare.h \
	orchd/reconcile/differs.c orchd/reconcile/differs.h \
	orchd/reconcile/drift.c orchd/reconcile/drift.h \
	orchd/reconcile/evaluate.c orchd/reconcile/evaluate.h \
	orchd/reconcile/execute.c orchd/reconcile/execute.h \
	orchd/reconcile/executor.c orchd/reconcile/executor.h \
	orchd/reconcile/finding.c orchd/reconcile/finding.h \
	orchd/reconcile/graph.c orchd/reconcile/graph.h \
	orchd/reconcile/groups.c orchd/reconcile/groups.h \
	orchd/reconcile/headroom.c orchd/reconcile/headroom.h \
	orchd/reconcile/heritage.h \
	orchd/reconcile/keepers.c orchd/reconcile/keepers.h \
	orchd/reconcile/leftovers.c orchd/reconcile/leftovers.h \
	orchd/reconcile/observer.h \
	orchd/reconcile/overlay.c orchd/reconcile/overlay.h \
	orchd/reconcile/plan.c orchd/reconcile/plan.h \
	orchd/reconcile/ports.c orchd/reconcile/ports.h \
	orchd/reconcile/refusal.c orchd/reconcile/refusal.h \
	orchd/reconcile/resources.c orchd/reconcile/resources.h \
	orchd/reconcile/reserved.c orchd/reconcile/reserved.h \
	orchd/reconcile/resolved.c orchd/reconcile/resolved.h \
	orchd/reconcile/source.c orchd/reconcile/source.h \
	orchd/reconcile/tell.c orchd/reconcile/tell.h
reconcile_libs = libreconcile.a $(translate_libs)
