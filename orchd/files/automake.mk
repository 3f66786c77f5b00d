# File formats: config_db.json and the files of SONiC images.
noinst_LIBRARIES += libfiles.a
libfiles_a_SOURCES = \
	orchd/files/asic_file.c orchd/files/asic_file.h \
	orchd/files/config_file.c orchd/files/config_file.h \
	orchd/files/lookup_file.c orchd/files/lookup_file.h \
	orchd/files/zero_file.c orchd/files/zero_file.h
files_libs = libfiles.a $(derive_rows_libs) $(JANSSON_LIBS)
libfiles_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
