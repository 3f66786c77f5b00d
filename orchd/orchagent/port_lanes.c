/* SPDX-License-Identifier: Apache-2.0 */

/* Keeps the lanes of rows by the name of the port. */

#include <config.h>

#include "orchd/orchagent/port_lanes.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/hash_index.h"
#include "base/parse.h"
#include "orchd/orchagent/asic_rows.h"
#include "orchd/orchagent/asic_states.h"

#define MAX_LANES 64

struct row_lanes {
    char *name; /* Of the port. */
    uint32_t lanes[MAX_LANES];
    uint32_t n;
};

struct port_lanes {
    const struct asic_rows *rows;
    struct hash_index by_name;
    uint32_t *list; /* Of port_lanes_get(). */
    sai_u32_list_t answer;
};

struct port_lanes *
port_lanes_create(const struct asic_rows *rows)
{
    struct port_lanes *lanes = check_calloc(1, sizeof *lanes);

    lanes->rows = rows;
    return lanes;
}

void
port_lanes_destroy(struct port_lanes *lanes)
{
    struct row_lanes *row;
    size_t place = 0;

    while ((row = hash_index_next(&lanes->by_name, &place))) {
        free(row->name);
        free(row);
    }
    hash_index_fini(&lanes->by_name);
    free(lanes->list);
    free(lanes);
}

/* A hash_index_equal_fn. */
static bool
row_has_name(const void *row_, const void *name)
{
    const struct row_lanes *row = row_;

    return !strcmp(row->name, name);
}

static struct row_lanes *
find_row(const struct port_lanes *lanes, const char *name)
{
    return hash_index_find(&lanes->by_name, hash_index_text(name), row_has_name,
                           name);
}

/* Parses "1,2,3,4". */
static uint32_t
parse_lanes(const char *text, uint32_t *lanes)
{
    uint32_t n = 0;

    while (*text && n < MAX_LANES) {
        const size_t length = strcspn(text, ",");
        char number[16];
        uint64_t lane;

        if (length >= sizeof number) {
            return 0;
        }
        memcpy(number, text, length);
        number[length] = '\0';
        if (parse_u64(number, 0, UINT32_MAX, &lane)) {
            return 0;
        }
        lanes[n++] = (uint32_t)lane;
        text += length + (text[length] == ',');
    }
    return n;
}

void
port_lanes_set(struct port_lanes *lanes, const char *name, const char *text)
{
    struct row_lanes *row = find_row(lanes, name);

    if (row) {
        hash_index_remove(&lanes->by_name, hash_index_text(name), row);
        free(row->name);
        free(row);
    }
    if (text) {
        row = check_calloc(1, sizeof *row);
        row->name = check_strdup(name);
        row->n = parse_lanes(text, row->lanes);
        hash_index_add(&lanes->by_name, hash_index_text(name), row);
    }
}

bool
port_lanes_has_row(const struct port_lanes *lanes, const char *name)
{
    return find_row(lanes, name) != NULL;
}

static bool
has_lane(const uint32_t *lanes, uint32_t n, uint32_t lane)
{
    for (uint32_t i = 0; i < n; i++) {
        if (lanes[i] == lane) {
            return true;
        }
    }
    return false;
}

/* Returns whether another row than 'row' names 'lane' as well. */
static bool
is_shared(const struct port_lanes *lanes, const struct row_lanes *row,
          uint32_t lane)
{
    const struct row_lanes *other;
    size_t place = 0;

    while ((other = hash_index_next(&lanes->by_name, &place))) {
        if (other != row && has_lane(other->lanes, other->n, lane)) {
            return true;
        }
    }
    return false;
}

/* Returns whether 'row' names the 'n' lanes of 'seen', in any order.  A lane
 * that several rows name is shown for one of the ports only. */
static bool
names_lanes(const struct port_lanes *lanes, const struct row_lanes *row,
            const uint32_t *seen, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++) {
        if (!has_lane(row->lanes, row->n, seen[i])) {
            return false;
        }
    }
    for (uint32_t i = 0; i < row->n; i++) {
        if (!has_lane(seen, n, row->lanes[i]) &&
            !is_shared(lanes, row, row->lanes[i])) {
            return false;
        }
    }
    return true;
}

const sai_u32_list_t *
port_lanes_get(struct port_lanes *lanes, const char *name)
{
    const sai_object_id_t oid =
        asic_rows_named(lanes->rows, ASIC_MAP_PORTS, name);
    const struct asic_row *port = asic_rows_get(lanes->rows, oid);
    const struct row_lanes *row = find_row(lanes, name);
    const sai_attribute_value_t *value =
        port ? asic_row_value(port, SAI_PORT_ATTR_HW_LANE_LIST) : NULL;
    uint32_t n = 0;

    free(lanes->list);
    lanes->list = NULL;
    if (!port) {
        return NULL;
    }
    if (value) {
        return &value->u32list;
    }
    lanes->list = asic_rows_lanes(lanes->rows, oid, &n);
    if (row && (!lanes->list || names_lanes(lanes, row, lanes->list, n))) {
        free(lanes->list);
        lanes->list = check_calloc(row->n + 1u, sizeof *lanes->list);
        memcpy(lanes->list, row->lanes, row->n * sizeof *row->lanes);
        n = row->n;
    }
    lanes->answer = (sai_u32_list_t){n, lanes->list};
    return lanes->list ? &lanes->answer : NULL;
}

const char *
port_lanes_find(struct port_lanes *lanes, const sai_u32_list_t *wanted)
{
    const struct row_lanes *row;
    size_t place = 0;

    while ((row = hash_index_next(&lanes->by_name, &place))) {
        const sai_u32_list_t *found = port_lanes_get(lanes, row->name);

        if (found && found->count == wanted->count &&
            !memcmp(found->list, wanted->list,
                    found->count * sizeof *found->list)) {
            return row->name;
        }
    }
    return NULL;
}

size_t
port_lanes_count(const struct port_lanes *lanes, size_t *n_there,
                 size_t *n_limited)
{
    const struct asic_rows *rows = lanes->rows;
    const struct row_lanes *row;
    size_t place = 0;

    *n_there = *n_limited = 0;
    while ((row = hash_index_next(&lanes->by_name, &place))) {
        const sai_object_id_t oid =
            asic_rows_named(rows, ASIC_MAP_PORTS, row->name);

        if (asic_rows_get(rows, oid)) {
            ++*n_there;
            *n_limited +=
                asic_states_limits(asic_rows_states(rows), row->name).n_pgs !=
                0;
        }
    }
    return lanes->by_name.n;
}
