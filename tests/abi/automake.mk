# The SAI headers compile alone and match the facts of the release; the pages
# about object types are complete.
TESTS += tests/abi/check_abi.sh tests/abi/check_headers.sh \
	tests/abi/check_pages.sh
EXTRA_DIST += tests/abi/check_abi.sh tests/abi/check_headers.sh \
	tests/abi/check_pages.sh tests/abi/compare_metadata.py

check_PROGRAMS += tests/abi/dump_metadata
tests_abi_dump_metadata_LDADD = $(sai_core_libs)

# No symbol is defined twice among the archives of a program.
TESTS += tests/abi/test_symbols.py tests/abi/test_release.py
EXTRA_DIST += tests/abi/test_symbols.py tests/abi/test_release.py
check_DATA += tests/abi/archives
CLEANFILES += tests/abi/archives
tests/abi/archives: Makefile
	$(AM_V_GEN)$(MKDIR_P) $(@D) && { \
	echo 'orchd/orchd $(orchd_orchd_LDADD)' && \
	echo 'orchctl/orchctl $(orchctl_orchctl_LDADD)' && \
	echo 'orchlab/orchlab $(orchlab_orchlab_LDADD)' && \
	echo 'saihostd/saihostd $(saihostd_saihostd_LDADD)' && \
	echo 'saihostd/softasicd $(saihostd_softasicd_LDADD)'; } >$@
