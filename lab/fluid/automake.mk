# The fluid model of congestion control, integrated by GSL.
noinst_LIBRARIES += libfluid.a
libfluid_a_SOURCES = lab/fluid/dcqcn_fluid.h
libfluid_a_CFLAGS = $(AM_CFLAGS) $(GSL_CFLAGS)
EXTRA_DIST += lab/fluid/dcqcn_fluid_gsl.c lab/fluid/dcqcn_fluid_none.c
if HAVE_GSL
libfluid_a_SOURCES += lab/fluid/dcqcn_fluid_gsl.c
else
libfluid_a_SOURCES += lab/fluid/dcqcn_fluid_none.c
endif
fluid_libs = libfluid.a $(GSL_LIBS) $(base_libs) -lm
