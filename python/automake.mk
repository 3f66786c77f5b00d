# The package for Python: a client of orchd, and fixtures for pytest.
#
# python/lib is the whole package, as it is installed: the modules of
# python/orchd, and orchd.commands, which is made from the table of commands that
# orchd prints.  Tests of the build have it in PYTHONPATH.
python_sources = \
	python/orchd/__init__.py \
	python/orchd/bench.py \
	python/orchd/claims.py \
	python/orchd/client.py \
	python/orchd/configuration.py \
	python/orchd/errors.py \
	python/orchd/frames.py \
	python/orchd/names.py \
	python/orchd/programs.py \
	python/orchd/py.typed \
	python/orchd/pytest_plugin.py \
	python/orchd/switch.py
EXTRA_DIST += $(python_sources) scripts/python_commands.py

if HAVE_MANUAL
python_info = python/lib/orchd-$(PACKAGE_VERSION).dist-info
pyorchddir = $(pythondir)/orchd
pyorchd_DATA = \
	python/lib/orchd/__init__.py \
	python/lib/orchd/bench.py \
	python/lib/orchd/claims.py \
	python/lib/orchd/client.py \
	python/lib/orchd/commands.py \
	python/lib/orchd/configuration.py \
	python/lib/orchd/errors.py \
	python/lib/orchd/frames.py \
	python/lib/orchd/names.py \
	python/lib/orchd/programs.py \
	python/lib/orchd/py.typed \
	python/lib/orchd/pytest_plugin.py \
	python/lib/orchd/switch.py
pyinfodir = $(pythondir)/orchd-$(PACKAGE_VERSION).dist-info
pyinfo_DATA = $(python_info)/METADATA $(python_info)/entry_points.txt
CLEANFILES += $(pyorchd_DATA) $(pyinfo_DATA) python/lib/stamp

$(pyorchd_DATA) $(pyinfo_DATA): python/lib/stamp
	@:
python/lib/stamp: $(python_sources) scripts/python_commands.py \
		docs/man/orchd.json docs/man/orchctl.json Makefile
	@$(MKDIR_P) python/lib/orchd $(python_info)
	@for source in $(python_sources); do \
		cp $(srcdir)/$$source python/lib/orchd/ || exit 1; done
	$(AM_V_GEN)$(PYTHON3) $(srcdir)/scripts/python_commands.py \
		docs/man/orchd.json docs/man/orchctl.json \
		>python/lib/orchd/commands.py
	@printf '%s\n' 'Metadata-Version: 2.1' 'Name: orchd' \
		'Version: $(PACKAGE_VERSION)' 'License: Apache-2.0' \
		'Summary: client of the switch control plane orchd, with pytest fixtures' \
		'Requires-Python: >=3.11' >$(python_info)/METADATA
	@printf '%s\n' '[pytest11]' 'orchd = orchd.pytest_plugin' \
		>$(python_info)/entry_points.txt
	@touch $@
endif
