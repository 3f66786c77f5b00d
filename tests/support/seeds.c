/* SPDX-License-Identifier: Apache-2.0 */

#include <config.h>

#include "tests/support/seeds.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "base/parse.h"

/* What runs; NULL: nothing. */
static const char *running;
static uint64_t running_seed;

static void
print_failed(void)
{
    if (running) {
        printf("%s_SEED=%llu\n", running, (unsigned long long)running_seed);
    }
}

/* Stores the value of the variable 'name' followed by 'rest' in '*n'.  Returns
 * whether it is set. */
static bool
setting(const char *name, const char *rest, uint64_t least, uint64_t *n)
{
    char variable[64];
    const char *text;

    assert_in_range(snprintf(variable, sizeof variable, "%s%s", name, rest), 1,
                    sizeof variable - 1);
    text = getenv(variable);
    if (text && parse_u64(text, least, UINT64_MAX, n)) {
        fail_msg("%s is no seed and no number of them: '%s'", variable, text);
    }
    return text != NULL;
}

static void
run_one(const char *name, uint64_t seed, void (*run)(uint64_t seed))
{
    running = name;
    running_seed = seed;
    run(seed);
    running = NULL;
}

void
for_seeds(const char *name, uint64_t n, void (*run)(uint64_t seed))
{
    static bool is_registered;
    uint64_t one;

    if (!is_registered) {
        assert_int_equal(atexit(print_failed), 0);
        is_registered = true;
    }
    if (setting(name, "_SEED", 1, &one)) {
        run_one(name, one, run);
        return;
    }
    (void)setting(name, "_SEEDS", 1, &n);
    for (uint64_t i = 1; i <= n; i++) {
        run_one(name, i * UINT64_C(2654435761), run);
    }
}
