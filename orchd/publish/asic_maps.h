/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PUBLISH_ASIC_MAPS_H
#define ORCHD_PUBLISH_ASIC_MAPS_H

/* ASIC_DB: the hashes that syncd keeps beside the objects, for tools and test
 * fixtures that read them.
 *
 *   VIDTORID, RIDTOVID  the id of each object, as its own value: orchd has no
 *                       virtual ids, the ids in Redis are those of the libsai
 *   HIDDEN              SAI_SWITCH_ATTR_CPU_PORT -> oid:0x.., and other objects
 *                       that the switch names in its attributes
 *   COLDVIDS            id -> type: objects of types that orchd does not create
 *   LANES               lane -> id of the port that has it
 *
 * Internal to publish/.  There is no VIDCOUNTER: nobody assigns ids but the
 * libsai.  Where the maps are not wanted, those that another program or run has
 * left are removed, because they would name objects that do not exist. */

#include <stdbool.h>

#include <sai.h>

struct asic_maps;
struct metadata_attribute;
struct redis;
struct sai_backend;

/* Creates maps without objects; 'redis' is borrowed.  They are not 'wanted'
 * until asic_maps_want(). */
struct asic_maps *asic_maps_create(struct redis *redis);

/* Frees 'maps'; the hashes stay.  Accepts NULL. */
void asic_maps_destroy(struct asic_maps *maps);

/* Publishes the maps from now on.  Call it before anything appears. */
void asic_maps_want(struct asic_maps *maps);

/* Reads from the switch of 'backend', borrowed for the call, which objects it
 * names. */
void asic_maps_attach(struct asic_maps *maps, struct sai_backend *backend);

/* Removes what is in Redis; the caller then reports all objects again. */
void asic_maps_restart(struct asic_maps *maps);

/* An object has appeared, has a new value of an attribute, or is removed. */
void asic_maps_appeared(struct asic_maps *maps, sai_object_type_t type,
                        sai_object_id_t oid);
void asic_maps_attribute(struct asic_maps *maps, sai_object_type_t type,
                         sai_object_id_t oid, sai_attr_id_t id,
                         const sai_attribute_value_t *value);
void asic_maps_gone(struct asic_maps *maps, sai_object_type_t type,
                    sai_object_id_t oid);

/* Writes what was collected. */
void asic_maps_flush(struct asic_maps *maps);

#endif /* orchd/publish/asic_maps.h */
