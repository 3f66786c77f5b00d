/* SPDX-License-Identifier: Apache-2.0 */

/* capset() and prctl(), without libcap. */

#include <config.h>

#include "process/capabilities.h"

#include <errno.h>
#include <linux/capability.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/text.h"

enum { N_BITS = 64 };

/* Capabilities of this process, in the form of the kernel. */
struct sets {
    struct __user_cap_header_struct header;
    struct __user_cap_data_struct data[_LINUX_CAPABILITY_U32S_3];
};

static bool
read_sets(struct sets *sets)
{
    memset(sets, 0, sizeof *sets);
    sets->header.version = _LINUX_CAPABILITY_VERSION_3;
    return syscall(SYS_capget, &sets->header, sets->data) == 0;
}

uint64_t
capabilities_permitted(void)
{
    struct sets sets;

    return read_sets(&sets)
               ? (uint64_t)sets.data[1].permitted << 32 | sets.data[0].permitted
               : 0;
}

/* Returns whether all permitted capabilities are effective and in 'kept'. */
static bool
has_only(uint64_t kept)
{
    struct sets sets;

    return read_sets(&sets) &&
           sets.data[0].permitted == sets.data[0].effective &&
           sets.data[1].permitted == sets.data[1].effective &&
           !(capabilities_permitted() & ~kept);
}

/* Takes capabilities out of the bounding set, as far as that is permitted:
 * without CAP_SETPCAP only programs could gain something by it, and there is
 * no_new_privs against that. */
static void
limit_bounding_set(uint64_t kept)
{
    for (unsigned int i = 0; i < N_BITS; i++) {
        if (!(kept & CAPABILITY(i)) &&
            prctl(PR_CAPBSET_DROP, (unsigned long)i, 0, 0, 0)) {
            return; /* No such capability, or no right. */
        }
    }
}

enum st
capabilities_keep(uint64_t kept, struct err *err)
{
    struct sets sets;

    if (has_only(kept)) {
        return ST_OK;
    }
    limit_bounding_set(kept);
    (void)prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
    if (!read_sets(&sets)) {
        return err_set(err, ST_IO, "capabilities", "capget(): %s",
                       strerror(errno));
    }
    for (unsigned int i = 0; i < _LINUX_CAPABILITY_U32S_3; i++) {
        const uint32_t mask = (uint32_t)(kept >> (32 * i));

        sets.data[i].permitted &= mask;
        sets.data[i].effective = sets.data[i].permitted;
        sets.data[i].inheritable = 0;
    }
    if (syscall(SYS_capset, &sets.header, sets.data)) {
        err_set(err, ST_IO, "capabilities",
                "the system does not let this process give up capabilities: %s",
                strerror(errno));
        err_set_remedy(err, "allow the system call capset "
                            "(SystemCallFilter=capset in the unit)");
        return ST_IO;
    }
    return ST_OK;
}

void
capabilities_describe(uint64_t set, char text[CAPABILITIES_TEXT_SIZE])
{
    static const struct {
        unsigned int bit;
        const char *name;
    } known[] = {{CAP_NET_ADMIN, "CAP_NET_ADMIN"},
                 {CAP_NET_RAW, "CAP_NET_RAW"},
                 {CAP_NET_BROADCAST, "CAP_NET_BROADCAST"},
                 {CAP_SYS_ADMIN, "CAP_SYS_ADMIN"}};
    size_t length = 0;

    text_copy(text, CAPABILITIES_TEXT_SIZE, set ? "" : "none");
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        if (set & CAPABILITY(known[i].bit)) {
            text_format(text + length, CAPABILITIES_TEXT_SIZE - length, "%s%s",
                        length ? " " : "", known[i].name);
            length = strlen(text);
            set &= ~CAPABILITY(known[i].bit);
        }
    }
    if (set) {
        text_format(text + length, CAPABILITIES_TEXT_SIZE - length,
                    "%sand others (0x%llx)", length ? " " : "",
                    (unsigned long long)set);
    }
}
