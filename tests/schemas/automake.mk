# The YANG modules by themselves, and whole trees against them.
TESTS += tests/schemas/check_schemas.sh
EXTRA_DIST += tests/schemas/check_schemas.sh tests/schemas/bad \
	tests/schemas/good
