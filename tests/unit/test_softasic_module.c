/* SPDX-License-Identifier: Apache-2.0 */

/* libsai-softasic.so as a host loads it. */

#include <config.h>

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sai/loader/loader.h"
#include "vendors/softasic/softasic.h"

enum { MAX_PORTS = 64 };

static struct loader *
open_module(const char *model)
{
    const struct loader_pair profile[] = {
        {"SOFTASIC_MODEL_DIR", TOP_SRCDIR "/chips"},
        {"SOFTASIC_MODEL", model},
    };
    const struct loader_options options = {
        .path = MODULE, .profile = profile, .n_profile = 2};
    struct loader *loader = NULL;
    struct err err = {0};

    assert_int_equal(loader_open(&options, &loader, &err), ST_OK);
    return loader;
}

static const struct softasic_ops *
ops_of(struct loader *loader)
{
    void *symbol = loader_symbol(loader, SOFTASIC_OPS_SYMBOL);
    softasic_ops_fn *function;

    assert_non_null(symbol);
    memcpy(&function, &symbol, sizeof function);
    return function(SOFTASIC_OPS_VERSION);
}

static void
test_backend_and_extras_work_on_one_switch(void **state)
{
    struct loader *loader = open_module("td2");
    struct sai_backend *backend = loader_backend(loader);
    const struct softasic_ops *ops = ops_of(loader);
    sai_object_id_t ports[MAX_PORTS];
    sai_attribute_t list = {SAI_SWITCH_ATTR_PORT_LIST,
                            {.objlist = {MAX_PORTS, ports}}};
    const sai_attribute_t up = {SAI_PORT_ATTR_ADMIN_STATE, {.booldata = true}};
    const sai_stat_id_t id = SAI_PORT_STAT_IF_OUT_UCAST_PKTS;
    struct softasic_send order = {.n_frames = 17, .frame_bytes = 1500};
    struct softasic_sent sent;
    struct err err = {0};
    uint64_t value = 0;

    (void)state;
    assert_int_equal(loader_version(loader), SAI_API_VERSION);
    assert_non_null(ops);
    assert_int_equal(loader_create_switch(loader, 0, NULL, &err), ST_OK);
    assert_int_equal(backend->ops->get(backend, SAI_OBJECT_TYPE_SWITCH,
                                       backend->switch_id, 1, &list),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(list.value.objlist.count, 32);
    for (int i = 0; i < 2; i++) {
        assert_int_equal(
            backend->ops->set(backend, SAI_OBJECT_TYPE_PORT, ports[i], &up),
            SAI_STATUS_SUCCESS);
    }
    order.from = ports[0];
    order.to = ports[1];
    assert_int_equal(ops->send(&order, &sent), SAI_STATUS_SUCCESS);
    assert_int_equal(ops->settle(NULL), SAI_STATUS_SUCCESS);
    assert_int_equal(backend->ops->get_stats(backend, SAI_OBJECT_TYPE_PORT,
                                             ports[1], 1, &id,
                                             SAI_STATS_MODE_READ, &value),
                     SAI_STATUS_SUCCESS);
    assert_int_equal(value, 17);
    loader_close(loader);
}

static void
test_wrong_model_is_reported(void **state)
{
    struct loader *loader = open_module("nothing-of-the-kind");
    struct err err = {0};

    (void)state;
    assert_int_not_equal(loader_create_switch(loader, 0, NULL, &err), ST_OK);
    assert_string_equal(err.code, "sai-switch");
    loader_close(loader);
}

int
main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_backend_and_extras_work_on_one_switch),
        cmocka_unit_test(test_wrong_model_is_reported),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
