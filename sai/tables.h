/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SAI_TABLES_H
#define ORCHD_SAI_TABLES_H

/* The constant tables behind sai/metadata.h, for nobody else.
 *
 * One row per object type, in the order of METADATA_OBJECTS, and one per
 * enumeration, in the order of enum/all.def; the enumerators below are their
 * indices.  All is made from the .def files when it is compiled. */

#include "sai/metadata.h"

/* TABLES_QUEUE, ...: indices of tables_objects. */
enum {
#define X(TYPE) TABLES_##TYPE,
    METADATA_OBJECTS(X)
#undef X
        TABLES_N_OBJECTS,
};

/* TABLES_ENUM_queue_type, ...: indices of tables_enums. */
enum {
#define SAI_ENUM_BEGIN(e)  TABLES_ENUM_##e,
#define SAI_FLAGS_BEGIN(e) TABLES_ENUM_##e,
#define SAI_ENUM_VALUE(name, value)
#define SAI_ENUM_MARK(name, value)
#define SAI_ENUM_END(e)
#include "enum/all.def"
#undef SAI_ENUM_BEGIN
#undef SAI_FLAGS_BEGIN
#undef SAI_ENUM_VALUE
#undef SAI_ENUM_MARK
#undef SAI_ENUM_END
    TABLES_N_ENUMS,
};

/* One row each; see above for the indices. */
extern const struct metadata_object tables_objects[TABLES_N_OBJECTS];
extern const struct metadata_enum tables_enums[TABLES_N_ENUMS];

#endif /* sai/tables.h */
