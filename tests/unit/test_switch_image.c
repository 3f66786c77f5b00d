/* SPDX-License-Identifier: Apache-2.0 */

/* Images of switches and their instances: an instance behaves as a switch of
 * its own, and no change reaches another one. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/random.h"
#include "base/text.h"
#include "lab/builder/switch_image_state.h"
#include "orchd/reconcile/listener.h"
#include "orchd/telemetry/polling/poller.h"
#include "tests/support/image_setup.h"
#include "tests/support/switch_compare.h"
#include "twin/chip/chip.h"
#include "twin/event/engine.h"
#include "vendors/objects/dump.h"
#include "vendors/softasic/sai/asic.h"
#include "vendors/softasic/traffic/traffic.h"

#define LEAF "examples/leaf-32x100g.config_db.json"

enum { LOSSLESS = 3, FRAME = 64 };

/* One image with two instances, and a box of its own: the switch of an equal
 * image, which has no instances, so it may change. */
struct fixture {
    struct switch_images *images;
    struct switch_images *others;
    struct engine *engine;
    const struct switch_image *image;
    struct switch_instance *a, *b;
    struct asic *box;
};

static int
setup(void **state)
{
    struct fixture *f = calloc(1, sizeof *f);

    f->images = image_setup_images();
    f->others = image_setup_images();
    f->engine = engine_create();
    f->image = image_setup_image(f->images, LEAF, NULL);
    f->a = image_setup_instance(f->image, f->engine, 0, 0);
    f->b = image_setup_instance(f->image, f->engine, 1, 0);
    f->box = image_setup_image(f->others, LEAF, NULL)->asic;
    *state = f;
    return 0;
}

static int
teardown(void **state)
{
    struct fixture *f = *state;

    switch_instance_destroy(f->a);
    switch_instance_destroy(f->b);
    switch_images_destroy(f->images);
    switch_images_destroy(f->others);
    engine_destroy(f->engine);
    free(f);
    return 0;
}

/* Returns the state of 'asic' as text, which the caller frees. */
static char *
dump(const struct asic *asic)
{
    struct text text = {0};

    dump_objects(asic->objects, &text);
    return text_take(&text);
}

static void
assert_same_state(const struct asic *a, const struct asic *b)
{
    char *of_a = dump(a), *of_b = dump(b);

    assert_string_equal(of_a, of_b);
    free(of_a);
    free(of_b);
}

static sai_object_id_t
port_oid(const struct fixture *f, const char *name)
{
    return switch_image_find_port(f->image, name)->oid;
}

/* Sends frames from Ethernet0 to Ethernet4 and returns the outcome. */
static struct softasic_sent
send(const struct fixture *f, struct asic *asic, enum softasic_until until)
{
    const struct softasic_send look = {
        .from = port_oid(f, "Ethernet0"),
        .to = port_oid(f, "Ethernet4"),
        .n_frames = 200000,
        .frame_bytes = FRAME,
        .dscp = LOSSLESS,
        .until = until,
    };
    struct softasic_sent sent;

    assert_int_equal(traffic_send_ip(asic, &look, NULL, &sent),
                     SAI_STATUS_SUCCESS);
    return sent;
}

static void
set_bool(const struct fixture *f, struct asic *asic, const char *port,
         sai_attr_id_t id, bool on)
{
    const sai_attribute_t attribute = {id, {.booldata = on}};
    struct err err = {0};

    assert_int_equal(asic_set(asic, SAI_OBJECT_TYPE_PORT, port_oid(f, port),
                              &attribute, &err),
                     SAI_STATUS_SUCCESS);
}

/* Images -------------------------------------------------------------- */

static void
test_an_instance_has_the_state_of_its_image(void **state)
{
    struct fixture *f = *state;
    const struct asic *a = switch_instance_asic(f->a);
    size_t n;
    const struct switch_image_port *ports = switch_image_ports(f->image, &n);

    assert_int_equal(n, 32);
    assert_string_equal(ports[0].name, "Ethernet0");
    assert_string_equal(ports[31].name, "Ethernet124");
    assert_ptr_equal(switch_image_find_port(f->image, "hundredGigE1/2"),
                     &ports[1]);
    assert_null(switch_image_find_port(f->image, "Ethernet1"));
    for (size_t i = 0; i < n; i++) {
        assert_int_equal(ports[i].slot, i);
        assert_int_equal(ports[i].speed_mbps, 100000);
        assert_int_equal(a->ports[i].item->oid, ports[i].oid);
    }
    assert_same_state(a, f->image->asic);
    assert_same_state(a, f->box);
    switch_compare_counters(switch_instance_asic(f->a), f->box);
}

/* Every PG and queue has the reservation and the limit that it has in a box. */
static void
test_the_twin_is_programmed_alike(void **state)
{
    struct fixture *f = *state;

    switch_compare_buffers(switch_instance_asic(f->a), f->box);
}

/* PFC and the first drop come where examples/breakpoint/xoff.yaml computes
 * them, and everything is counted as in a box. */
static void
test_breakpoints_are_those_of_a_box(void **state)
{
    struct fixture *f = *state;
    struct asic *switches[] = {switch_instance_asic(f->a), f->box};
    const struct chip *chip = switch_image_chip(f->image);
    const uint64_t cell = chip->cell_bytes;
    const uint64_t pool = 11648000 / chip->partitions / cell;
    const uint64_t reserved = (1248 + cell - 1) / cell;
    const uint64_t pause_at = reserved + (pool - 8) / 9 + 1;
    const uint64_t headroom = 165568 / cell;

    assert_string_equal(chip->name, "th");
    for (int i = 0; i < 2; i++) {
        struct softasic_sent sent;

        set_bool(f, switches[i], "Ethernet4", SAI_PORT_ATTR_PKT_TX_ENABLE,
                 false);
        sent = send(f, switches[i], SOFTASIC_UNTIL_XOFF);
        assert_int_equal(sent.event, SOFTASIC_UNTIL_XOFF);
        assert_int_equal(sent.n_frames, pause_at);
        sent = send(f, switches[i], SOFTASIC_UNTIL_DROP);
        assert_int_equal(sent.n_frames, headroom + 1);
        assert_int_equal(sent.n_dropped_ingress, 1);
    }
    switch_compare_counters(switches[0], switches[1]);
    for (int i = 0; i < 2; i++) {
        set_bool(f, switches[i], "Ethernet4", SAI_PORT_ATTR_PKT_TX_ENABLE,
                 true);
        (void)sim_settle(switches[i]->sim);
    }
    switch_compare_counters(switches[0], switches[1]);
    assert_same_state(switches[0], switches[1]);
}

/* Traffic and changes of one instance are not seen in another. */
static void
test_instances_are_independent(void **state)
{
    struct fixture *f = *state;
    struct asic *a = switch_instance_asic(f->a);
    char *before = dump(f->image->asic);
    char *after;

    set_bool(f, a, "Ethernet4", SAI_PORT_ATTR_PKT_TX_ENABLE, false);
    assert_int_equal(send(f, a, SOFTASIC_UNTIL_XOFF).event,
                     SOFTASIC_UNTIL_XOFF);
    assert_same_state(switch_instance_asic(f->b), f->box);
    switch_compare_counters(switch_instance_asic(f->b), f->box);
    after = dump(f->image->asic);
    assert_string_equal(before, after);
    free(after);
    after = dump(a);
    assert_string_not_equal(before, after);
    free(after);
    free(before);
}

/* Clearing the counters of a queue in one switch leaves those of others. */
static void
test_counters_are_cleared_in_one_instance(void **state)
{
    struct fixture *f = *state;
    const sai_stat_id_t id = SAI_QUEUE_STAT_PACKETS;
    struct asic *switches[] = {switch_instance_asic(f->a),
                               switch_instance_asic(f->b)};
    sai_object_id_t queue = SAI_NULL_OBJECT_ID;
    uint64_t n;

    for (int i = 0; i < 2; i++) {
        queue = send(f, switches[i], SOFTASIC_UNTIL_XOFF).queue;
        (void)sim_settle(switches[i]->sim);
    }
    for (int i = 0; i < 2; i++) {
        struct sai_backend *backend =
            switch_instance_backend(i == 0 ? f->a : f->b);

        assert_int_equal(
            backend->ops->get_stats(backend, SAI_OBJECT_TYPE_QUEUE, queue, 1,
                                    &id, SAI_STATS_MODE_READ_AND_CLEAR, &n),
            SAI_STATUS_SUCCESS);
        assert_int_equal(n, 200000);
        assert_int_equal(backend->ops->get_stats(backend, SAI_OBJECT_TYPE_QUEUE,
                                                 queue, 1, &id,
                                                 SAI_STATS_MODE_READ, &n),
                         SAI_STATUS_SUCCESS);
        assert_int_equal(n, 0);
    }
}

/* Random changes ------------------------------------------------------ */

/* Returns a random object of 'type'. */
static struct objects_item *
pick(const struct asic *asic, sai_object_type_t type, struct random *random)
{
    uint64_t n = objects_count(asic->objects, type);
    struct objects_item *i = objects_first(asic->objects, type);

    for (n = random_below(random, n); n; n--) {
        i = objects_next(asic->objects, i);
    }
    return i;
}

/* Stores a random change in '*attribute'; returns the object that it is of. */
static struct objects_item *
random_change(const struct asic *asic, struct random *random,
              sai_attribute_t *attribute)
{
    static const struct {
        sai_object_type_t type;
        sai_attr_id_t id;
        sai_object_type_t value; /* NULL: a number. */
        uint32_t below;
    } changes[] = {
        {SAI_OBJECT_TYPE_QUEUE, SAI_QUEUE_ATTR_BUFFER_PROFILE_ID,
         SAI_OBJECT_TYPE_BUFFER_PROFILE, 0},
        {SAI_OBJECT_TYPE_INGRESS_PRIORITY_GROUP,
         SAI_INGRESS_PRIORITY_GROUP_ATTR_BUFFER_PROFILE,
         SAI_OBJECT_TYPE_BUFFER_PROFILE, 0},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_QOS_DSCP_TO_TC_MAP,
         SAI_OBJECT_TYPE_QOS_MAP, 0},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_ADMIN_STATE, SAI_OBJECT_TYPE_NULL,
         2},
        {SAI_OBJECT_TYPE_PORT, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL,
         SAI_OBJECT_TYPE_NULL, 256},
        {SAI_OBJECT_TYPE_BUFFER_PROFILE,
         SAI_BUFFER_PROFILE_ATTR_SHARED_DYNAMIC_TH, SAI_OBJECT_TYPE_NULL, 4},
        {SAI_OBJECT_TYPE_BUFFER_POOL, SAI_BUFFER_POOL_ATTR_SIZE,
         SAI_OBJECT_TYPE_NULL, 10000000},
        {SAI_OBJECT_TYPE_SWITCH, SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_SEED,
         SAI_OBJECT_TYPE_NULL, 1000},
        {SAI_OBJECT_TYPE_BRIDGE_PORT, SAI_BRIDGE_PORT_ATTR_ADMIN_STATE,
         SAI_OBJECT_TYPE_NULL, 2},
    };
    const size_t c = random_below(random, sizeof changes / sizeof *changes);

    memset(attribute, 0, sizeof *attribute);
    attribute->id = changes[c].id;
    if (changes[c].value == SAI_OBJECT_TYPE_NULL) {
        attribute->value.u32 = (uint32_t)random_below(random, changes[c].below);
    } else if (random_below(random, 3)) {
        attribute->value.oid = pick(asic, changes[c].value, random)->oid;
    }
    return pick(asic, changes[c].type, random);
}

/* Two instances and a box get the same changes at different times; each ends
 * as the box does, and the image stays as it is. */
static void
test_random_changes_as_in_a_box(void **state)
{
    struct fixture *f = *state;
    struct asic *switches[] = {switch_instance_asic(f->a), f->box,
                               switch_instance_asic(f->b)};
    char *before = dump(f->image->asic);
    char *after;

    for (int s = 0; s < 3; s++) {
        struct random random;

        random_init(&random, 7);
        for (int i = 0; i < 2000; i++) {
            sai_attribute_t attribute;
            struct objects_item *item =
                random_change(switches[s], &random, &attribute);
            struct err err = {0};

            (void)asic_set(switches[s], item->type, item->oid, &attribute,
                           &err);
        }
        if (s == 0) {
            assert_same_state(f->image->asic, switches[2]);
        }
    }
    assert_same_state(switches[0], switches[1]);
    assert_same_state(switches[2], switches[1]);
    switch_compare_counters(switches[0], switches[1]);
    after = dump(f->image->asic);
    assert_string_equal(before, after);
    free(before);
    free(after);
}

/* A port of an instance can be removed and created again. */
static void
test_ports_of_an_instance_can_be_replaced(void **state)
{
    static const sai_object_type_t order[] = {SAI_OBJECT_TYPE_VLAN_MEMBER,
                                              SAI_OBJECT_TYPE_BRIDGE_PORT,
                                              SAI_OBJECT_TYPE_PORT};
    struct fixture *f = *state;
    struct asic *switches[] = {switch_instance_asic(f->a), f->box};

    for (int s = 0; s < 2; s++) {
        uint32_t lanes[] = {1, 2, 3, 4};
        const sai_attribute_t attributes[] = {
            {SAI_PORT_ATTR_HW_LANE_LIST, {.u32list = {4, lanes}}},
            {SAI_PORT_ATTR_SPEED, {.u32 = 100000}},
        };
        sai_object_id_t oid;
        struct err err = {0};
        const struct objects_item *port =
            objects_find(switches[s]->objects, port_oid(f, "Ethernet0"));

        for (size_t i = 0; i < sizeof order / sizeof *order; i++) {
            assert_int_equal(
                asic_remove(switches[s], order[i],
                            order[i] == SAI_OBJECT_TYPE_PORT
                                ? port->oid
                                : objects_child_oid(port, order[i], 0),
                            &err),
                SAI_STATUS_SUCCESS);
        }
        assert_int_equal(asic_add(switches[s], SAI_OBJECT_TYPE_PORT, 2,
                                  attributes, &oid, &err),
                         SAI_STATUS_SUCCESS);
        assert_int_not_equal(oid, port_oid(f, "Ethernet0"));
    }
    assert_same_state(switches[0], switches[1]);
    assert_same_state(switch_instance_asic(f->b), f->image->asic);
}

/* Sharing ------------------------------------------------------------- */

static void
test_a_further_switch_costs_at_most_64_kb(void **state)
{
    struct fixture *f = *state;
    const size_t bytes = switch_instance_bytes(f->a);

    print_message("SAI state of a further switch with 32 ports: %zu bytes\n",
                  bytes);
    assert_in_range(bytes, 1, 64 * 1024);
}

static const struct switch_image *
get(struct fixture *f, const char *text, const char *chip,
    const struct switch_set *sets, size_t n_sets)
{
    const struct switch_request request = {.path = "leaf.json",
                                           .config = text,
                                           .chip = chip,
                                           .sets = sets,
                                           .n_sets = n_sets};
    const struct switch_image *image = NULL;
    struct err err = {0};

    assert_int_equal(switch_images_get(f->images, &request, &image, &err),
                     ST_OK);
    return image;
}

static void
test_equal_configurations_share_an_image(void **state)
{
    static const struct switch_set names[] = {
        {"DEVICE_METADATA|localhost", "hostname", "other"},
        {"DEVICE_METADATA|localhost", "mac", "02:00:00:00:00:09"},
        {"PORT|Ethernet0", "description", "elsewhere"},
    };
    static const struct switch_set content[] = {
        {"BUFFER_PROFILE|pg_lossless_100000_5m_profile", "dynamic_th", "-1"}};
    static const struct switch_set all[] = {
        {"PORT_QOS_MAP|*", "pfc_enable", "4"}};
    struct fixture *f = *state;
    char *text = image_setup_read(LEAF);
    const struct switch_image *other;

    assert_ptr_equal(get(f, text, NULL, NULL, 0), f->image);
    assert_ptr_equal(get(f, text, NULL, names, 3), f->image);
    assert_int_equal(switch_images_count(f->images), 1);
    other = get(f, text, NULL, content, 1);
    assert_ptr_not_equal(other, f->image);
    assert_int_not_equal(switch_image_hash(other), switch_image_hash(f->image));
    assert_string_equal(switch_image_chip(get(f, text, "td3", NULL, 0))->name,
                        "td3");
    assert_int_equal(switch_images_count(f->images), 3);
    other = get(f, text, NULL, all, 1);
    assert_int_equal(switch_images_count(f->images), 4);
    for (const struct objects_item *i =
             objects_first_own(other->asic->objects, SAI_OBJECT_TYPE_PORT);
         i; i = objects_next(other->asic->objects, i)) {
        assert_int_equal(objects_number(i, SAI_PORT_ATTR_PRIORITY_FLOW_CONTROL),
                         i == other->asic->cpu_port ? 0 : 1 << 4);
    }
    free(text);
}

static void
test_addresses_belong_to_instances(void **state)
{
    struct fixture *f = *state;
    const struct switch_instance_options options = {.engine = f->engine,
                                                    .entity_base = 100000,
                                                    .mac = 0x020100000007,
                                                    .has_ecmp_seed = true,
                                                    .ecmp_seed = 42};
    const struct switch_instance_options group = {.engine = f->engine,
                                                  .mac = 0x010000000000};
    struct switch_instance *made = NULL;
    sai_attribute_t got[] = {{.id = SAI_SWITCH_ATTR_SRC_MAC_ADDRESS},
                             {.id = SAI_SWITCH_ATTR_ECMP_DEFAULT_HASH_SEED}};
    static const uint8_t mac[] = {2, 1, 0, 0, 0, 7};
    struct sai_backend *backend;
    struct err err = {0};

    assert_int_equal(switch_image_instantiate(f->image, &group, &made, &err),
                     ST_INVALID);
    assert_null(made);
    assert_int_equal(switch_image_instantiate(f->image, &options, &made, &err),
                     ST_OK);
    backend = switch_instance_backend(made);
    assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                                       backend->switch_id, 2, got),
                     SAI_STATUS_SUCCESS);
    assert_memory_equal(got[0].value.mac, mac, sizeof mac);
    assert_int_equal(got[1].value.u32, 42);
    assert_int_equal(switch_instance_mac(made), 0x020100000007);
    assert_int_equal(sim_port_get(switch_instance_sim(made), 0)->mac,
                     0x020100000007);
    assert_same_state(switch_instance_asic(f->a), f->image->asic);
    switch_instance_destroy(made);
}

/* Configuration of one instance --------------------------------------- */

/* A change by the pipeline ends as if the image had had it, in one instance
 * only, and without a new object; a wrong one changes nothing. */
static void
test_one_instance_is_configured_by_its_own_pipeline(void **state)
{
    static const struct switch_set sets[] = {
        {"BUFFER_PROFILE|pg_lossless_100000_5m_profile", "dynamic_th", "-1"},
        {"PORT_QOS_MAP|Ethernet8", "pfc_enable", "3"},
    };
    static const struct switch_set wrong[] = {
        {"BUFFER_PROFILE|pg_lossless_100000_5m_profile", "dynamic_th", "-2"},
        {"BUFFER_PG|Ethernet0|3-4", "profile", "none"},
    };
    static const struct switch_set back[] = {
        {"BUFFER_PROFILE|pg_lossless_100000_5m_profile", "dynamic_th", "-3"},
        {"PORT_QOS_MAP|Ethernet8", "pfc_enable", "3,4"},
    };
    struct fixture *f = *state;
    char *text = image_setup_read(LEAF);
    const struct switch_image *changed = get(f, text, NULL, sets, 2);
    struct asic *a = switch_instance_asic(f->a);
    const struct objects_item *profile =
        objects_first(a->objects, SAI_OBJECT_TYPE_BUFFER_PROFILE);
    struct err err = {0};

    assert_ptr_equal(switch_instance_agent(f->a), switch_image_agent(f->image));
    (void)send(f, a, SOFTASIC_UNTIL_COUNT);
    assert_int_equal(switch_instance_set(f->a, sets, 2, &err), ST_OK);
    assert_ptr_not_equal(switch_instance_agent(f->a),
                         switch_image_agent(f->image));
    assert_same_state(a, changed->asic);
    assert_ptr_equal(objects_first(a->objects, SAI_OBJECT_TYPE_BUFFER_PROFILE),
                     profile);
    assert_int_equal(switch_instance_set(f->a, wrong, 2, &err), ST_INVALID);
    assert_non_null(strstr(err.reason, "BUFFER_PG|Ethernet0|3-4"));
    assert_same_state(a, changed->asic);
    assert_int_equal(switch_instance_set(f->a, &wrong[1], 1, &err), ST_INVALID);
    assert_int_equal(switch_instance_set(f->a, back, 2, &err), ST_OK);
    assert_same_state(a, f->image->asic);
    assert_same_state(switch_instance_asic(f->b), f->image->asic);
    free(text);
}

/* What was reported to a listener. */
struct heard {
    size_t n_applied;
    size_t n_pools;
    size_t n_values;
};

static void
hear_row(void *context, const struct row_status *status)
{
    struct heard *heard = context;

    heard->n_applied += status->state == ROW_STATE_APPLIED;
}

static void
hear_object(void *context, const struct object_view *object)
{
    struct heard *heard = context;

    heard->n_pools += object->table == TABLE_BUFFER_POOL;
}

static void
hear_value(void *context, const struct object_view *object,
           const struct metadata_attribute *attribute,
           const sai_attribute_value_t *value)
{
    struct heard *heard = context;

    (void)attribute;
    (void)value;
    heard->n_values += object->table == TABLE_BUFFER_POOL;
}

static void
test_a_listener_learns_all_of_an_instance(void **state)
{
    static const struct switch_set size[] = {
        {"BUFFER_POOL|egress_lossy_pool", "size", "9000000"}};
    struct fixture *f = *state;
    struct heard heard = {0};
    const struct listener listener = {.row_status = hear_row,
                                      .object_appeared = hear_object,
                                      .object_attribute = hear_value,
                                      .context = &heard};
    struct err err = {0};

    assert_int_equal(switch_instance_listen(f->a, &listener, &err), ST_OK);
    assert_int_equal(heard.n_pools, 3);
    assert_true(heard.n_applied >= 230); /* Of 263. */
    assert_same_state(switch_instance_asic(f->a), f->image->asic);
    heard = (struct heard){0};
    assert_int_equal(switch_instance_set(f->a, size, 1, &err), ST_OK);
    assert_int_equal(heard.n_pools, 0);
    assert_int_equal(heard.n_values, 1);
    assert_int_equal(switch_instance_listen(f->a, NULL, &err), ST_OK);
    assert_int_equal(heard.n_values, 1);
}

/* Counters ------------------------------------------------------------ */

static void
store_value(void *context, const struct polled_object *object,
            const struct counter_list *list, const uint64_t *values,
            const uint64_t *old, const struct polled_time *at,
            const struct polled_time *old_at)
{
    uint64_t *packets = context;

    (void)old;
    (void)at;
    (void)old_at;
    for (uint32_t i = 0; i < list->n; i++) {
        if (list->ids[i] == SAI_QUEUE_STAT_PACKETS) {
            packets[object->id.index] = values[i];
        }
    }
}

static void
ignore_description(void *context, const struct polled_object *object,
                   const struct counter_list *list, sai_stats_mode_t mode)
{
    (void)context;
    (void)object;
    (void)list;
    (void)mode;
}

static void
ignore_refusal(void *context, const struct polled_object *object,
               enum counter_group group, const char *names)
{
    (void)context;
    (void)object;
    (void)group;
    (void)names;
}

/* The daemon's poller reads each instance through its backend. */
static void
test_the_poller_reads_an_instance(void **state)
{
    struct fixture *f = *state;
    struct switch_instance *instances[] = {f->a, f->b};
    const sai_object_id_t queue =
        send(f, switch_instance_asic(f->a), SOFTASIC_UNTIL_COUNT).queue;

    (void)sim_settle(switch_instance_sim(f->a));
    for (int i = 0; i < 2; i++) {
        uint64_t packets[256] = {0};
        const struct poller_listener listener = {.values = store_value,
                                                 .described =
                                                     ignore_description,
                                                 .refused = ignore_refusal,
                                                 .context = packets};
        const struct polled_object_id id = {.type = SAI_OBJECT_TYPE_QUEUE,
                                            .oid = queue,
                                            .kind = SAI_QUEUE_TYPE_UNICAST,
                                            .name = "Ethernet4",
                                            .index = LOSSLESS};
        struct poller *poller = poller_create(&listener);

        poller_attach(poller, switch_instance_backend(instances[i]));
        assert_non_null(poller_add(poller, &id));
        poller_set(poller, COUNTER_GROUP_QUEUE, true, 1000000000, 0);
        while (poller_turn(poller, 0)) {
            continue;
        }
        assert_int_equal(packets[LOSSLESS], i == 0 ? 200000 : 0);
        poller_destroy(poller);
    }
}

/* Errors -------------------------------------------------------------- */

/* The same chip with other keys is another image. */
static void
test_keys_of_the_chip_may_change(void **state)
{
    struct fixture *f = *state;
    char *text = image_setup_read(LEAF);
    struct switch_request request = {
        .path = "leaf.json", .config = text, .chip_set = "partitions: 1"};
    const struct switch_image *image = NULL;
    const struct switch_image *again = NULL;
    struct err err = {0};

    assert_int_equal(switch_images_get(f->images, &request, &image, &err),
                     ST_OK);
    assert_ptr_not_equal(image, f->image);
    assert_int_equal(switch_image_chip(f->image)->partitions, 4);
    assert_int_equal(switch_image_chip(image)->partitions, 1);
    assert_int_not_equal(switch_image_hash(image), switch_image_hash(f->image));
    assert_int_equal(switch_images_get(f->images, &request, &again, &err),
                     ST_OK);
    assert_ptr_equal(again, image);
    request.chip_set = "partitions: many";
    again = NULL;
    assert_int_equal(switch_images_get(f->images, &request, &again, &err),
                     ST_INVALID);
    assert_null(again);
    assert_non_null(strstr(err.reason, "chip_set:1:13: partitions"));
    free(text);
}

static void
assert_refused(struct fixture *f, const char *text, const char *chip,
               const struct switch_set *set, enum st st, const char *reason)
{
    const struct switch_request request = {.path = "leaf.json",
                                           .config = text,
                                           .chip = chip,
                                           .sets = set,
                                           .n_sets = set != NULL};
    const struct switch_image *image = NULL;
    struct err err = {0};

    assert_int_equal(switch_images_get(f->images, &request, &image, &err), st);
    assert_null(image);
    if (!strstr(err.reason, reason)) {
        fail_msg("'%s' does not contain '%s'", err.reason, reason);
    }
}

/* Together longer than a message, and each port is there several times. */
#define SOME_PORTS "Ethernet0,Ethernet4,Ethernet8,Ethernet12,Ethernet16,"
#define MANY_PORTS                                                             \
    SOME_PORTS SOME_PORTS SOME_PORTS SOME_PORTS SOME_PORTS SOME_PORTS          \
        SOME_PORTS "Ethernet20"

static void
test_wrong_configurations_are_explained(void **state)
{
    static const struct {
        struct switch_set set;
        enum st st;
        const char *reason;
    } sets[] = {
        {{"BUFFER_POOLS", "size", "1"}, ST_INVALID, "write TABLE|key"},
        {{"BUFFER_POLL|x", "size", "1"}, ST_INVALID, "BUFFER_POOL"},
        {{"WRED_PROFILE|*", "ecn", "ecn_none"}, ST_INVALID, "has no row"},
        {{"BUFFER_PG|Ethernet0|3-4", "profile", "none"},
         ST_INVALID,
         "BUFFER_PG|Ethernet0|3-4"},
        {{"BUFFER_PG|" MANY_PORTS "|6", "profile", "none"},
         ST_INVALID,
         "names a port twice"},
        {{"PORT|Ethernet0", "speed", "fast"}, ST_INVALID, "PORT|Ethernet0"},
        {{"PORT|Ethernet0", "spede", "100000"}, ST_INVALID, "PORT|Ethernet0"},
    };
    struct fixture *f = *state;
    char *text = image_setup_read(LEAF);

    assert_refused(f, "{\"PORT\": ", NULL, NULL, ST_INVALID, "leaf.json:1:");
    assert_refused(f, "[]", NULL, NULL, ST_INVALID, "object of tables");
    assert_refused(f, "{}", NULL, NULL, ST_NOT_FOUND, "names no chip");
    assert_refused(f, "{\"PORT\": 3}", "th", NULL, ST_INVALID, "PORT");
    assert_refused(f, text, "thx", NULL, ST_NOT_FOUND, "thx");
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        assert_refused(f, text, NULL, &sets[i].set, sets[i].st, sets[i].reason);
    }
    assert_int_equal(switch_images_count(f->images), 1);
    free(text);
}

int
main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)
    static const struct CMUnitTest tests[] = {
        TEST(test_an_instance_has_the_state_of_its_image),
        TEST(test_the_twin_is_programmed_alike),
        TEST(test_breakpoints_are_those_of_a_box),
        TEST(test_instances_are_independent),
        TEST(test_counters_are_cleared_in_one_instance),
        TEST(test_random_changes_as_in_a_box),
        TEST(test_ports_of_an_instance_can_be_replaced),
        TEST(test_a_further_switch_costs_at_most_64_kb),
        TEST(test_equal_configurations_share_an_image),
        TEST(test_keys_of_the_chip_may_change),
        TEST(test_addresses_belong_to_instances),
        TEST(test_one_instance_is_configured_by_its_own_pipeline),
        TEST(test_a_listener_learns_all_of_an_instance),
        TEST(test_the_poller_reads_an_instance),
        TEST(test_wrong_configurations_are_explained),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
