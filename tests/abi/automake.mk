# The SAI headers compile alone and match the facts of the release; the pages
# about object types are complete.
TESTS += tests/abi/check_abi.sh tests/abi/check_headers.sh \
	tests/abi/check_pages.sh
EXTRA_DIST += tests/abi/check_abi.sh tests/abi/check_headers.sh \
	tests/abi/check_pages.sh tests/abi/compare_metadata.py

check_PROGRAMS += tests/abi/dump_metadata
tests_abi_dump_metadata_LDADD = $(sai_core_libs)
