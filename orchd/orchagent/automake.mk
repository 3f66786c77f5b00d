# A switch that orchagent programs: what is published for it, and what is seen of
# it.
noinst_LIBRARIES += liborchagent.a
liborchagent_a_SOURCES = \
	orchd/orchagent/appl_tables.c orchd/orchagent/appl_tables.h \
	orchd/orchagent/asic_reader.c orchd/orchagent/asic_reader.h \
	orchd/orchagent/asic_rows.c orchd/orchagent/asic_rows.h \
	orchd/orchagent/asic_states.c orchd/orchagent/asic_states.h \
	orchd/orchagent/delivery.c orchd/orchagent/delivery.h \
	orchd/orchagent/evidence.c orchd/orchagent/evidence.h \
	orchd/orchagent/key_reading.c orchd/orchagent/key_reading.h \
	orchd/orchagent/port_lanes.c orchd/orchagent/port_lanes.h \
	orchd/orchagent/syncd_counters.c orchd/orchagent/syncd_counters.h \
	orchd/orchagent/syncd_plan.c orchd/orchagent/syncd_plan.h \
	orchd/orchagent/syncd_polling.c orchd/orchagent/syncd_polling.h \
	orchd/orchagent/wish.c orchd/orchagent/wish.h \
	orchd/orchagent/wish_text.c orchd/orchagent/wish_text.h
orchagent_libs = liborchagent.a $(db_libs) $(agent_libs)
