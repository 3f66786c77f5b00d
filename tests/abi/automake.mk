# The SAI headers: that they compile alone, and that they are what they claim.
TESTS += tests/abi/check_abi.sh tests/abi/check_headers.sh \
	tests/abi/check_pages.sh
EXTRA_DIST += tests/abi/check_abi.sh tests/abi/check_headers.sh \
	tests/abi/check_pages.sh tests/abi/compare_metadata.py docs/sai

check_PROGRAMS += tests/abi/dump_metadata
tests_abi_dump_metadata_LDADD = $(sai_core_libs)

# The pages of docs/sai, from the same metadata.
check_PROGRAMS += tests/abi/print_pages
tests_abi_print_pages_LDADD = $(sai_core_libs)
