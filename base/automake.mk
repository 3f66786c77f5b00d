# Pure modules that every program uses: statuses, text, arenas, timers, parsing.
noinst_LIBRARIES += libbase.a
libbase_a_SOURCES = \
	base/arena.c base/arena.h \
	base/attributes.h \
	base/cable.h \
	base/check.c base/check.h \
	base/credits_need.c base/credits_need.h \
	base/digest.c base/digest.h \
	base/digraph.c base/digraph.h \
	base/ethernet.h \
	base/hash_index.c base/hash_index.h \
	base/histogram.c base/histogram.h \
	base/lanes.c base/lanes.h \
	base/line_pool.c base/line_pool.h \
	base/nearest.c base/nearest.h \
	base/parse.c base/parse.h \
	base/pfc.h \
	base/picoseconds.h \
	base/random.c base/random.h \
	base/secret.c base/secret.h \
	base/status.c base/status.h \
	base/text.c base/text.h \
	base/timeline.c base/timeline.h \
	base/view_path.c base/view_path.h
base_libs = libbase.a
