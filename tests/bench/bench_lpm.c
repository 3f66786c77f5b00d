/* SPDX-License-Identifier: Apache-2.0 */

/* Time of one longest prefix match, and of one prefix added, among tables of
 * several sizes: 60 % /24 (/48) as on the Internet, the rest from /8 to /32
 * (/16 to /128).  Prints one JSON object per line. */

#include <config.h>

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/check.h"
#include "base/random.h"
#include "twin/forwarding/lpm.h"

enum { LOOKUPS = 2000000, MAX_PREFIXES = 200000 };

static int64_t
now_ns(void)
{
    struct timespec time;

    (void)clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * 1000000000 + time.tv_nsec;
}

static struct address
some_address(struct random *random, enum address_family family)
{
    uint8_t bytes[ADDRESS_BYTES];

    for (int i = 0; i < ADDRESS_BYTES; i++) {
        bytes[i] = (uint8_t)random_below(random, 256);
    }
    return address_make(family, bytes);
}

static void
print(const char *what, enum address_family family, uint32_t n, int64_t ns,
      uint32_t times)
{
    (void)printf("{\"bench\":\"lpm_%s\",\"params\":{\"family\":%d,"
                 "\"prefixes\":%" PRIu32 "},\"value\":%.1f,\"unit\":\"ns\"}\n",
                 what, family == ADDRESS_V4 ? 4 : 6, n,
                 (double)ns / (double)times);
}

static void
measure(enum address_family family, uint32_t n)
{
    static struct address probes[1 << 16];
    static int value;
    struct random random;
    struct lpm *lpm = lpm_create();
    const unsigned int most = family == ADDRESS_V4 ? 24 : 48;
    uint32_t hits = 0;
    int64_t start;

    random_init(&random, 1);
    start = now_ns();
    for (uint32_t i = 0; i < n; i++) {
        const struct address address = some_address(&random, family);
        const unsigned int any =
            most / 3 + (unsigned int)random_below(
                           &random, address_bits(family) - most / 3 + 1);

        (void)lpm_insert(lpm, &address,
                         random_below(&random, 10) < 6 ? most : any, &value);
    }
    print("insert", family, n, now_ns() - start, n);
    for (size_t i = 0; i < sizeof probes / sizeof probes[0]; i++) {
        probes[i] = some_address(&random, family);
    }
    start = now_ns();
    for (uint32_t i = 0; i < LOOKUPS; i++) {
        hits += lpm_lookup(lpm, &probes[i & 0xffff]) != NULL;
    }
    print("lookup", family, n, now_ns() - start, LOOKUPS);
    orch_assert(hits <= LOOKUPS);
    lpm_destroy(lpm);
}

int
main(void)
{
    for (uint32_t n = 1000; n <= MAX_PREFIXES; n *= 14) {
        measure(ADDRESS_V4, n);
        measure(ADDRESS_V6, n);
    }
    return 0;
}
