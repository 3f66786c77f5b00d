/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_INTENT_KEY_H
#define ORCHD_INTENT_KEY_H

/* Parsed keys of rows.
 *
 * A key names what a row is about: an object ("ingress_lossless_pool"), ports
 * ("Ethernet0,Ethernet4"), or indices on ports ("Ethernet0|3-4"). The parser is
 * strict: no blanks, no empty item, no port twice, no leading zero, and a range
 * must not run backwards ("3-3" is the single index 3). How many indices a port
 * has is a property of the ASIC, which reconcile/ checks.
 *
 * In a chassis with virtual output queues, a row of BUFFER_QUEUE or QUEUE may
 * also name queues of ports of other devices: "lc1|asic0|Ethernet0|3-4".  Its
 * ports are then system ports, each in the form of a key of SYSTEM_PORT:
 * "lc1|asic0|Ethernet0".  No name of a port of this device has a '|'.
 *
 * The rules for a single name or index come from the YANG modules: schema.h. */

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "orchd/intent/table.h"

/* No chip has more queues per port. */
#define KEY_INDEX_MAX 63

/* Far more than any chip has; bounds the work per key. */
#define KEY_PORTS_MAX 4096

struct key {
    const char *name; /* KEY_NAME and KEY_SYSTEM_PORT; borrowed from the
                       * text. */
    const char *const *ports; /* The other shapes; owned. */
    size_t n_ports;
    unsigned int first, last; /* KEY_PORTS_RANGE, inclusive. */
};

/* Parses 'text' as a key of 'table' into '*key', which the caller ends with
 * key_fini().  Returns
 *   - ST_INVALID if it is malformed: 'err' has the code "key";
 *   - ST_UNSUPPORTED for counter groups that other programs poll
 *     ("other-group").
 * On failure '*key' is zeroed. */
enum st key_parse(enum table table, const char *text, struct key *key,
                  struct err *err) ST_WARN_UNUSED;

/* Frees what 'key' owns and zeroes it. */
void key_fini(struct key *key);

/* The parts of the name of a system port. */
enum key_part {
    KEY_PART_DEVICE, /* The host name of a line card. */
    KEY_PART_ASIC,
    KEY_PART_PORT,
    KEY_N_PARTS
};

/* Returns whether 'port', one of the ports of a key, is a system port. */
bool key_is_system_port(const char *port);

/* Copies 'part' of 'port', a system port, to 'buffer', cut to 'size'. */
void key_get_part(const char *port, enum key_part part, char *buffer,
                  size_t size);

/* Replaces the '|' in 'text', the key of a row, by 'separator', that of a
 * database: those of a system port stay ("lc1|asic0|Ethernet0:3-4"). */
void key_separate(char *text, char separator);

/* Returns whether 'text' is the key of a row that orchd creates for its own use
 * and does not publish.  Such a key contains a blank, which no key in CONFIG_DB
 * may have. */
bool key_is_internal(const char *text);

#endif /* orchd/intent/key.h */
