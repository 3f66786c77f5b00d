/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_SWITCH_LLR_CAPABILITY_H
#define ORCHD_SWITCH_LLR_CAPABILITY_H

/* What a switch can do of link-level retry, as SAI's capability queries say. */

#include <stdbool.h>

struct loader;

struct llr_capability {
    bool capable; /* Both directions, and the profile, of a port can be set. */
    bool lacking; /* The library says that one of them cannot be set; false if
                   * it says nothing. */

    /* The attributes of profiles that can be given or set, as a list with ", ";
     * their names without SAI_PORT_LLR_PROFILE_ATTR_. */
    char attributes[256];
};

/* Asks the library of 'loader', which has a switch. */
void llr_capability_read(struct loader *loader,
                         struct llr_capability *capability);

#endif /* orchd/switch/llr_capability.h */
