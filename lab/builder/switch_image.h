/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_BUILDER_SWITCH_IMAGE_H
#define ORCHD_LAB_BUILDER_SWITCH_IMAGE_H

/* The switches of a fabric, each programmed by the pipeline of a real box:
 * config_db.json -> intent -> derive -> translate -> reconcile -> SAI.
 *
 * Problem: a fabric of 1,280 switches has a handful of different
 * configurations.  To run the pipeline for each switch would take minutes, and
 * the SAI objects of each would take about a megabyte.
 *
 * Idea: an *image* is one switch, programmed by the pipeline, that carries no
 * traffic and never changes again.  An *instance* is a switch of the fabric: it
 * shares the attribute values and the children of ports with its image until
 * one of them changes (objects_share() of vendors/objects/objects.h), and has a
 * twin of its own, programmed from the same objects.  So object ids and names
 * are those of the image: queue 3 of Ethernet0 has the same id in every
 * instance.
 *
 * There is one image per configuration and chip.  What is particular to one
 * switch is not part of its configuration here: the host name and the MAC
 * address in DEVICE_METADATA, the description of a port, and tables that orchd
 * does not read.  The MAC address is an option of the instance.
 *
 * An instance can be read and changed as any switch through its backend
 * (sai/core/backend.h), for example by the counter poller or by
 * lab/builder/switch_routes.h.  Its twin is a struct sim on the engine of the
 * caller.
 *
 * Not part of this module: the links between switches (twin/fabric). */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct agent;
struct asic;
struct chip;
struct engine;
struct listener;
struct sai_backend;
struct sim;
struct switch_image;
struct switch_images;
struct switch_instance;

/* Images ------------------------------------------------------------------ */

struct switch_images_options {
    const char *yang_dir;  /* YANG modules of CONFIG_DB. */
    const char *chips_dir; /* Chip files. */
    bool strict;           /* Fields that orchd does not know are errors. */
};

/* Reads the YANG modules and returns an empty set of images in '*images'; the
 * texts of 'options' are copied.  Fails as schema_create() does.  End with
 * switch_images_destroy(). */
enum st switch_images_create(const struct switch_images_options *options,
                             struct switch_images **images,
                             struct err *err) ST_WARN_UNUSED;

/* Destroys all images.  Their instances must be destroyed before.  Accepts
 * NULL. */
void switch_images_destroy(struct switch_images *images);

/* Replaces one field of a row, which is added if it does not exist.  'value'
 * NULL removes the field; 'field' NULL removes the row. */
struct switch_set {
    const char *row; /* "WRED_PROFILE|AZURE_LOSSLESS"; "WRED_PROFILE|*": each
                      * row of that table, of which there must be one. */
    const char *field;
    const char *value;
};

struct switch_request {
    const char *path;   /* Of the configuration, for messages. */
    const char *config; /* Its text: {TABLE: {KEY: {FIELD: VALUE}}}. */
    const char *chip;   /* Name of a chip file; NULL: the one that matches the
                         * hwsku of the configuration, else the one with its
                         * name. */
    const char *chip_set; /* Keys of a chip file that replace those of the chip,
                           * as chip_file_vary() takes them; NULL: none. */
    const struct switch_set *sets; /* Applied to the configuration in order. */
    size_t n_sets;
};

/* Stores the image for '*request' in '*image': an existing one if the
 * configuration and the chip are equal, else a new one, for which the pipeline
 * runs once.  Borrowed until switch_images_destroy().  Leaves '*image' alone
 * on failure:
 *
 *   ST_INVALID    'config' is no JSON of this form (with line and column), or
 *                 orchd rejects a row (the first one is named)
 *   ST_INVALID    or 'chip_set' is wrong
 *   ST_NOT_FOUND  there is no such chip
 *   other         the switch refuses an object (err names the row) */
enum st switch_images_get(struct switch_images *images,
                          const struct switch_request *request,
                          const struct switch_image **image,
                          struct err *err) ST_WARN_UNUSED;

/* Returns how many images there are. */
size_t switch_images_count(const struct switch_images *images);

struct switch_image_port {
    const char *name;    /* "Ethernet0" */
    const char *alias;   /* "etp1"; "" if it has none. */
    uint32_t slot;       /* The number of the port in the twin. */
    uint32_t speed_mbps; /* As configured. */
    uint64_t oid;        /* The SAI object in every instance. */
};

/* Returns the ports in the order of their slots, which is that of the front
 * panel, and stores their number; borrowed.  Port i of a topology is the i-th
 * of them. */
const struct switch_image_port *
switch_image_ports(const struct switch_image *image, size_t *n);

/* Returns the port with that name or alias, or NULL. */
const struct switch_image_port *
switch_image_find_port(const struct switch_image *image, const char *name);

/* Returns the size of the cells of which its buffer consists. */
uint32_t switch_image_cell_bytes(const struct switch_image *image);

/* Return the chip; the agent that has programmed the image, which knows the
 * names and ids of all objects; and a hash of configuration and chip, which is
 * the same in every run.  Borrowed. */
const struct chip *switch_image_chip(const struct switch_image *image);
struct agent *switch_image_agent(const struct switch_image *image);
uint64_t switch_image_hash(const struct switch_image *image);

/* Instances --------------------------------------------------------------- */

struct switch_instance_options {
    struct engine *engine; /* The clock, shared with all of the fabric.
                            * Borrowed. */
    uint32_t entity_base;  /* The entity number of the port in slot 0; slot i
                            * has 'entity_base' + i (twin/event/engine.h).  A
                            * switch takes as many as its chip has ports
                            * (switch_image_chip()), used or not. */
    uint64_t mac;          /* Of the switch and its router, 48 bits; 0: the
                            * default of softasic. */
    bool has_ecmp_seed;
    uint32_t ecmp_seed; /* SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_SEED. */
};

/* Creates a switch with the state of 'image' in '*instance'.  End with
 * switch_instance_destroy(), before 'engine' and the images.  Fails only if the
 * MAC address is invalid (ST_INVALID). */
enum st switch_image_instantiate(const struct switch_image *image,
                                 const struct switch_instance_options *options,
                                 struct switch_instance **instance,
                                 struct err *err) ST_WARN_UNUSED;

/* Accepts NULL. */
void switch_instance_destroy(struct switch_instance *instance);

/* Changes the configuration of one instance by the pipeline, as a user of the
 * box would, and lets it settle: for example a threshold while traffic flows.
 * The instance then has a pipeline of its own, which takes some megabytes.
 * ST_INVALID and others as switch_images_get(); the instance then has the
 * configuration that it had before. */
enum st switch_instance_set(struct switch_instance *instance,
                            const struct switch_set *sets, size_t n,
                            struct err *err) ST_WARN_UNUSED;

/* Gives 'instance' an agent of its own that reports to 'listener'
 * (orchd/reconcile/listener.h; borrowed): at once all rows and objects, later
 * what switch_instance_set() changes.  So a publisher can show the switch as
 * the daemon shows a box.  Nothing on the switch changes.  It replaces the
 * listener of a previous call; NULL: none. */
enum st switch_instance_listen(struct switch_instance *instance,
                               const struct listener *listener,
                               struct err *err) ST_WARN_UNUSED;

/* What a control plane found on its switch when it started. */
struct switch_restart {
    size_t n_adopted; /* Objects that were as it wants them. */
    size_t n_created; /* Objects that were not there, ... */
    size_t n_set;     /* ... values that were others, ... */
    size_t n_removed; /* ... and objects that it does not want. */
};

/* Starts the control plane of 'instance' again, with the configuration in
 * force, while the switch keeps its state: the pipeline adopts what is there,
 * makes what differs as it should be, and settles.  Stores what it found in
 * '*found'.  Fails as switch_instance_set(). */
enum st switch_instance_restart(struct switch_instance *instance,
                                struct switch_restart *found,
                                struct err *err) ST_WARN_UNUSED;

/* Lets the switch lose what the configuration has programmed, as when the chip
 * is initialized: all ports are down, the buffer is empty, and buffers and QoS
 * are those of a new switch.  The configuration in force stays what it was;
 * switch_instance_restart() programs it again.  Not lost are the routes
 * (lab/builder/switch_routes.h) and counters. */
enum st switch_instance_reset(struct switch_instance *instance,
                              struct err *err) ST_WARN_UNUSED;

/* Lets the pipeline of 'instance' carry out what its watchdog wants, or
 * whatever else has been handed in.  Does nothing if it has none of its own. */
void switch_instance_settle(struct switch_instance *instance);

/* Returns the agent that has programmed the instance, which knows the rows in
 * force: that of the image until one of the two functions above was called;
 * valid until the next call of switch_instance_listen(). */
struct agent *switch_instance_agent(const struct switch_instance *instance);

/* Returns the configuration in force as canonical JSON, {TABLE: {KEY: {FIELD:
 * VALUE}}}; borrowed until the next switch_instance_set(). */
const char *switch_instance_config(const struct switch_instance *instance);

/* Return the parts of an instance; borrowed.  The caller may replace the
 * listener of the sim (sim_set_listener()); the switch then reports no learned
 * addresses and deadlocks to clients of SAI. */
const struct switch_image *
switch_instance_image(const struct switch_instance *instance);
struct sim *switch_instance_sim(struct switch_instance *instance);
struct asic *switch_instance_asic(struct switch_instance *instance);
uint64_t switch_instance_mac(const struct switch_instance *instance);

/* Returns the backend: SAI on this switch only.  It has all operations,
 * including those for entries (routes, neighbors). */
struct sai_backend *switch_instance_backend(struct switch_instance *instance);

/* Calls 'visit' for each buffer pool of the instance by its name, with the
 * number that its MMU (sim_mmu()) has for it. */
void switch_instance_each_pool(const struct switch_instance *instance,
                               void (*visit)(void *context, const char *name,
                                             uint32_t pool),
                               void *context);

/* Returns how many bytes of pool 'pool' of its MMU the instance has for all to
 * share: its size less guarantees and headroom.  0: there is no such pool. */
uint64_t switch_instance_shared_bytes(const struct switch_instance *instance,
                                      uint32_t pool);

/* Returns the bytes of SAI state that belong to this instance alone: objects
 * and tables of the vendor layer, without the twin (struct sim) and without
 * the overhead of the allocator. */
size_t switch_instance_bytes(const struct switch_instance *instance);

#endif /* lab/builder/switch_image.h */
