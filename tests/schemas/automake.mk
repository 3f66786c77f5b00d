# The YANG modules by themselves, and whole trees against them.
TESTS += tests/schemas/check_schemas.sh tests/schemas/check_matrix.py
EXTRA_DIST += tests/schemas/check_schemas.sh \
	tests/schemas/check_matrix.py tests/schemas/bad \
	tests/schemas/good
