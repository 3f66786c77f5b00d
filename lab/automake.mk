# The switches of a fabric: images made by the pipeline, and their instances.
noinst_LIBRARIES += liblab-switch.a
liblab_switch_a_SOURCES = \
	lab/builder/switch_check.c lab/builder/switch_check.h \
	lab/builder/switch_config.c lab/builder/switch_config.h \
	lab/builder/switch_drift.c lab/builder/switch_drift.h \
	lab/builder/switch_hash.c lab/builder/switch_hash.h \
	lab/builder/switch_default.c lab/builder/switch_default.h \
	lab/builder/switch_images.c lab/builder/switch_image.h \
	lab/builder/switch_image_state.h \
	lab/builder/switch_instance.c \
	lab/builder/switch_route_table.c lab/builder/switch_routes.h \
	lab/builder/switch_sai.c lab/builder/switch_sai.h \
	lab/builder/switch_sai_bridge.c lab/builder/switch_sai_state.h \
	lab/builder/switch_vlan.c lab/builder/switch_vlan.h \
	lab/builder/switch_watchdog.c lab/builder/switch_watchdog.h
liblab_switch_a_CFLAGS = $(AM_CFLAGS) $(JANSSON_CFLAGS)
lab_switch_libs = liblab-switch.a libsoftasic.a $(files_libs) \
	liboffline.a libpfcwd.a $(pipeline_libs) $(chip_libs) $(objects_libs)

# For tests of the above.
image_setup = tests/support/image_setup.c tests/support/image_setup.h
switch_compare = tests/support/switch_compare.c tests/support/switch_compare.h
image_setup_flags = $(AM_CPPFLAGS) \
	-DSCHEMA_DIR='"$(abs_top_srcdir)/schemas"' \
	-DCHIPS='"$(abs_top_srcdir)/chips"' \
	-DTOP_SRCDIR='"$(abs_top_srcdir)"'

# Configurations of common switches, and what has written them.
labconfigsdir = $(pkgdatadir)/lab/configs
dist_labconfigs_DATA = \
	lab/configs/box-32x40g-spc1.json \
	lab/configs/box-32x40g-spc2.json \
	lab/configs/box-32x40g-spc3.json \
	lab/configs/box-32x40g-spc4.json \
	lab/configs/box-32x40g-td2.json \
	lab/configs/box-32x40g-td3.json \
	lab/configs/box-32x40g-th.json \
	lab/configs/box-32x40g-th2.json \
	lab/configs/box-32x40g-th3.json \
	lab/configs/box-32x40g-th5.json \
	lab/configs/box-32x40g-th6.json \
	lab/configs/box-32x40g-tofino2.json \
	lab/configs/chassis-32x100g.json \
	lab/configs/rh-36x100g.json \
	lab/configs/star-128x100g.json \
	lab/configs/star-256x100g.json \
	lab/configs/star-32x100g.json \
	lab/configs/t0-32x100g.json \
	lab/configs/t0-32x40g.json \
	lab/configs/t1-64x100g.json \
	lab/configs/t1-64x400g.json \
	lab/configs/t1-64x40g.json
EXTRA_DIST += lab/configs/generate.py
