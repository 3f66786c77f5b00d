/* SPDX-License-Identifier: Apache-2.0 */

/* FLEX_COUNTER_DB: what is polled of queues and their ports, for people and
 * tests that read it.  orchd/telemetry/counters.h describes the group
 * itself. */

#include <config.h>

#include "orchd/watchdog/pfcwd_state.h"

#include <inttypes.h>

#include "base/text.h"
#include "orchd/watchdog/storm_store.h"

#define PREFIX     "FLEX_COUNTER_TABLE:PFC_WD:"
#define PORT_LIST  "PORT_COUNTER_ID_LIST"
#define QUEUE_LIST "QUEUE_COUNTER_ID_LIST"
#define ATTR_LIST  "QUEUE_ATTR_ID_LIST"

/* Room for a key. */
enum { KEY_SIZE = sizeof PREFIX + 24 };

static const char *
key_of(sai_object_id_t oid, char *key)
{
    text_format(key, KEY_SIZE, PREFIX "oid:0x%" PRIx64, oid);
    return key;
}

/* Writes a list of names, or removes it if it is empty. */
static void
put_list(const struct pfcwd *pfcwd, sai_object_id_t oid, const char *name,
         const char *names)
{
    const struct field field = {name, names};
    char key[KEY_SIZE];

    if (*names) {
        pfcwd->store->ops->set(pfcwd->store, FLEX_COUNTER_DB, key_of(oid, key),
                               &field, 1);
    } else {
        pfcwd->store->ops->unset(pfcwd->store, FLEX_COUNTER_DB,
                                 key_of(oid, key), name);
    }
}

/* Describes a port by its described queues. */
static void
put_port(const struct pfcwd *pfcwd, sai_object_id_t port)
{
    struct text names = {0};
    unsigned int priorities = 0;

    for (const struct polled_queue *polled = pfcwd->polled_queues; polled;
         polled = polled->hh.next) {
        if (polled->described_port == port) {
            priorities |= 1u << polled->index;
        }
    }
    storm_reader_port_names(pfcwd->rule ? pfcwd->rule->uses : 0, priorities,
                            &names);
    put_list(pfcwd, port, PORT_LIST, text_string(&names));
    text_fini(&names);
}

void
pfcwd_undescribe__(struct pfcwd *pfcwd, struct polled_queue *polled)
{
    const sai_object_id_t port = polled->described_port;

    if (polled->described == SAI_NULL_OBJECT_ID) {
        return;
    }
    put_list(pfcwd, polled->described, QUEUE_LIST, "");
    put_list(pfcwd, polled->described, ATTR_LIST, "");
    polled->described = polled->described_port = SAI_NULL_OBJECT_ID;
    put_port(pfcwd, port);
}

void
pfcwd_describe__(struct pfcwd *pfcwd, struct polled_queue *polled)
{
    struct text counters = {0}, attributes = {0};

    if (!pfcwd->rule || !polled->queue->watched) {
        pfcwd_undescribe__(pfcwd, polled);
        return;
    }
    if (polled->described == polled->oid) {
        return;
    }
    pfcwd_undescribe__(pfcwd, polled);
    polled->described = polled->oid;
    polled->described_port = polled->port_oid;
    storm_reader_queue_names(pfcwd->rule->uses, &counters, &attributes);
    put_list(pfcwd, polled->oid, QUEUE_LIST, text_string(&counters));
    put_list(pfcwd, polled->oid, ATTR_LIST, text_string(&attributes));
    put_port(pfcwd, polled->port_oid);
    text_fini(&counters);
    text_fini(&attributes);
}
