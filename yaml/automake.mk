# YAML files whose nodes know their position, for languages of ours.
noinst_LIBRARIES += libyaml-document.a
libyaml_document_a_SOURCES = yaml/document.c yaml/document.h \
	yaml/path.c yaml/path.h
libyaml_document_a_CFLAGS = $(AM_CFLAGS) $(FYAML_CFLAGS)
yaml_document_libs = libyaml-document.a $(base_libs) $(FYAML_LIBS)
