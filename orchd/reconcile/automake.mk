# The dependency graph, the planner and the executor.  Pure.
noinst_LIBRARIES += libreconcile.a
libreconcile_a_SOURCES = \
	orchd/reconcile/adopted_values.h \
	orchd/reconcile/binding.c orchd/reconcile/binding.h \
	orchd/reconcile/claim_state.c orchd/reconcile/claim_state.h \
	orchd/reconcile/compare.c orchd/reconcile/compare.h \
	orchd/reconcile/condition.c orchd/reconcile/condition.h \
	orchd/reconcile/confirmation.h \
	orchd/reconcile/create.c orchd/reconcile/create.h \
	orchd/reconcile/drift.c orchd/reconcile/drift.h \
	orchd/reconcile/evaluate.c orchd/reconcile/evaluate.h \
	orchd/reconcile/execute.c orchd/reconcile/execute.h \
	orchd/reconcile/executor.c orchd/reconcile/executor.h \
	orchd/reconcile/graph.c orchd/reconcile/graph.h \
	orchd/reconcile/graph_walk.c orchd/reconcile/graph_walk.h \
	orchd/reconcile/headroom_order.c orchd/reconcile/headroom_order.h \
	orchd/reconcile/lane_claims.c orchd/reconcile/lane_claims.h \
	orchd/reconcile/lane_set.c orchd/reconcile/lane_set.h \
	orchd/reconcile/listener.c orchd/reconcile/listener.h \
	orchd/reconcile/llr_answer.c orchd/reconcile/llr_answer.h \
	orchd/reconcile/llr_order.c orchd/reconcile/llr_order.h \
	orchd/reconcile/overlay.c orchd/reconcile/overlay.h \
	orchd/reconcile/paired_bounds.c orchd/reconcile/paired_bounds.h \
	orchd/reconcile/plan.c orchd/reconcile/plan.h \
	orchd/reconcile/reservation.c orchd/reconcile/reservation.h \
	orchd/reconcile/pool_warnings.c orchd/reconcile/pool_warnings.h \
	orchd/reconcile/port_details.c orchd/reconcile/port_details.h \
	orchd/reconcile/ports.c orchd/reconcile/ports.h \
	orchd/reconcile/references.c orchd/reconcile/references.h \
	orchd/reconcile/refusal.c orchd/reconcile/refusal.h \
	orchd/reconcile/reserved_bytes.c orchd/reconcile/reserved_bytes.h \
	orchd/reconcile/resolved_value.c orchd/reconcile/resolved_value.h \
	orchd/reconcile/resources.c orchd/reconcile/resources.h \
	orchd/reconcile/row_answer.c orchd/reconcile/row_answer.h \
	orchd/reconcile/row_report.c orchd/reconcile/row_report.h \
	orchd/reconcile/row_status.c orchd/reconcile/row_status.h \
	orchd/reconcile/scheduler_groups.c orchd/reconcile/scheduler_groups.h \
	orchd/reconcile/slot_diff.c orchd/reconcile/slot_diff.h \
	orchd/reconcile/source.c orchd/reconcile/source.h \
	orchd/reconcile/chassis_ports.c orchd/reconcile/chassis_ports.h \
	orchd/reconcile/stale_objects.c orchd/reconcile/stale_objects.h \
	orchd/reconcile/trimming.c orchd/reconcile/trimming.h \
	orchd/reconcile/trimming_answer.c orchd/reconcile/trimming_answer.h \
	orchd/reconcile/trimming_limits.c orchd/reconcile/trimming_limits.h
reconcile_libs = libreconcile.a $(translate_libs) $(twin_libs)

# The agent: intent, derive, translate and reconcile as one pipeline.  Pure.
noinst_LIBRARIES += libagent.a
libagent_a_SOURCES = \
	orchd/reconcile/agent.c orchd/reconcile/agent.h \
	orchd/reconcile/watchdog_effects.c orchd/reconcile/watchdog_effects.h
agent_libs = libagent.a $(reconcile_libs) $(derive_rows_libs) $(watchdog_libs)
