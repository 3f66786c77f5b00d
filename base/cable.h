/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_BASE_CABLE_H
#define ORCHD_BASE_CABLE_H

/* How fast a signal travels in a cable.  The project needs two answers, which
 * differ by 1 % on purpose. */

enum {
    /* The physical delay, used by the simulated links of the digital twin
     * (twin/link/link.h).  IEEE 802.1Q-2018 annex O.4 reckons with 5 ns per
     * metre, which is light in fibre of group index 1.5 and about a signal in
     * copper: 200,000 km/s. */
    CABLE_PS_PER_METRE = 5000,

    /* The speed in the headroom formula of SONiC's vendor scripts, used
     * wherever headroom is calculated (orchd/derive/headroom.h, orchctl
     * headroom).  Results have to equal those of the scripts to the byte, so
     * it is theirs; being slower, it asks for slightly more headroom than the
     * twin needs. */
    CABLE_FORMULA_KM_PER_S = 198000,
};

#endif /* base/cable.h */
