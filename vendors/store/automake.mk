# The attribute store: a backend for tests, and the bookkeeping of softasic.
noinst_LTLIBRARIES += libstore.la
libstore_la_SOURCES = \
	vendors/store/dump.c vendors/store/dump.h \
	vendors/store/family.c vendors/store/family.h \
	vendors/store/objects.c vendors/store/objects_answer.c \
	vendors/store/objects.h \
	vendors/store/store.c vendors/store/store.h
