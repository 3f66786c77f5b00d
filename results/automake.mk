# Results files, and figures of them: what orchctl and orchlab share.
noinst_LIBRARIES += libresults.a
libresults_a_SOURCES = \
	results/csv.c results/csv.h \
	results/database.c results/database.h \
	results/draw.c results/draw.h \
	results/figure.c results/figure.h \
	results/html.c results/html.h \
	results/ip_header.c results/ip_header.h \
	results/pcap_writer.c results/pcap_writer.h \
	results/rocev2.c results/rocev2.h \
	results/sweep.c results/sweep.h \
	results/sweep_data.c results/sweep_data.h \
	results/schema.c results/schema.h results/schema_tables.h \
	results/tcp_bytes.c results/tcp_bytes.h \
	results/whole_file.c results/whole_file.h
results_libs = libresults.a $(base_libs) $(SQLITE_LIBS)
libresults_a_CFLAGS = $(AM_CFLAGS) $(SQLITE_CFLAGS)
