/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DERIVE_PORT_STATE_H
#define ORCHD_DERIVE_PORT_STATE_H

/* The properties of a port that determine its buffers, the name of its
 * generated profile, and what its rows in BUFFER_PG mean. */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* If PORT has no mtu: the factory default. */
#define PORT_DEFAULT_MTU 9100

/* X(member, text for people). */
#define PORT_STATES(X)                                                         \
    X(ADMIN_DOWN, "admin-down")                                                \
    X(INITIALIZING, "initializing") /* Speed or cable is unknown. */           \
    X(READY, "ready")

#define X(member, text) PORT_STATE_##member,
enum port_state { PORT_STATES(X) };
#undef X

/* Returns the text of 'state'. */
const char *port_state_name(enum port_state state);

/* Returns the speed at which a port may run, in Mb/s; 0: unknown.  Without
 * 'autoneg' it is 'speed_mbps'; with it the highest advertised speed or, if
 * none in particular is advertised ("all", "0", "" or NULL), the highest
 * supported. */
uint32_t port_effective_speed(bool autoneg, uint32_t speed_mbps,
                              const char *adv_speeds,
                              const char *supported_speeds);

/* Returns whether the buffers of the port can be computed.  'speed_mbps' is the
 * effective speed, 0: unknown. */
enum port_state port_state(bool admin_up, uint32_t speed_mbps,
                           bool cable_known);

/* The inputs of a generated profile, which its name contains. */
struct profile_label {
    uint32_t speed_mbps;
    uint32_t cable_m;
    uint32_t mtu;
    bool own_alpha; /* Differs from the default, so the name has it. */
    int alpha;
    const char *gearbox; /* NULL: none. */
    bool eight_lanes;    /* See port_names_eight_lanes(). */
};

/* No name is longer, with its terminator. */
#define PROFILE_NAME_SIZE 160

/* Writes the name into 'buffer' of PROFILE_NAME_SIZE bytes and returns it:
 * "pg_lossless_100000_40m_mtu1500_th1_8lane_profile". */
const char *profile_label_name(const struct profile_label *label, char *buffer);

/* Returns whether a switch with that model number marks ports of 8 lanes in the
 * name: it does at each speed at which it also has ports of 4. */
bool port_names_eight_lanes(uint32_t model_number, uint32_t lanes,
                            uint32_t speed_mbps);

/* What a row of BUFFER_PG requests in the dynamic model. */
enum pg_class {
    PG_GENERATED,           /* A profile generated for the port. */
    PG_GENERATED_OWN_ALPHA, /* The same with the alpha of the named one. */
    PG_OVERRIDE,            /* Lossless, applied as written. */
    PG_LOSSY,               /* Applied as written. */
    PG_WRONG_DIRECTION,     /* A profile of an egress pool. */
};

/* The properties of the named profile that determine the class. */
struct pg_profile {
    bool egress;
    bool has_xoff; /* The field is there, even if it is 0. */
    bool dynamic;  /* headroom_type is "dynamic". */
};

/* Classifies a row; 'profile' is NULL if the row names none, or "NULL". */
enum pg_class pg_classify(const struct pg_profile *profile);

/* A run of consecutive indices, both inclusive. */
struct run {
    unsigned int first;
    unsigned int last;
};

/* Stores the runs of bits that are set in 'mask', lowest first, in 'runs',
 * which has room for 32, and returns their number: {3,4,6} is 3-4 and 6. */
size_t runs_of_mask(uint64_t mask, struct run *runs);

#endif /* orchd/derive/port_state.h */
