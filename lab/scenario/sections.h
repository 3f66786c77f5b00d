/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_LAB_SCENARIO_SECTIONS_H
#define ORCHD_LAB_SCENARIO_SECTIONS_H

/* The readers of the sections of a scenario, one file for each.
 *
 * Each takes the value of a key of the scenario, or NULL if the file does not
 * have it, and fills its part of the scenario completely, with the defaults.
 * All fail with ST_INVALID and the position in the reader's 'err'.
 *
 * Internal to lab/scenario. */

#include "base/status.h"
#include "lab/scenario/fields.h"
#include "lab/scenario/scenario.h"

enum st section_fabric(struct reader *reader, struct fy_node *node,
                       struct fabric_spec *fabric) ST_WARN_UNUSED;

/* Reads the shape 'graph' of a fabric. */
enum st section_graph(struct reader *reader, struct fy_node *node,
                      struct fabric_spec *fabric) ST_WARN_UNUSED;

/* Fills '*srd' with the defaults. */
void section_srd_init(struct reader *reader, struct srd_spec *srd);

/* Reads 'srd' of a host into '*srd', which has values already. */
enum st section_srd(struct reader *reader, struct fy_node *node,
                    struct srd_spec *srd) ST_WARN_UNUSED;

/* Fills '*tcp' with the defaults. */
void section_tcp_init(struct reader *reader, struct tcp_spec *tcp);

/* Reads 'tcp' of a host into '*tcp', which has values already. */
enum st section_tcp(struct reader *reader, struct fy_node *node,
                    struct tcp_spec *tcp) ST_WARN_UNUSED;

/* Reads the processor of a host, "on", "off" or a map, over '*cpu'. */
enum st section_cpu(struct reader *reader, struct fy_node *node,
                    struct cpu_spec *cpu) ST_WARN_UNUSED;

/* Fills '*watchdog' with the defaults of a watchdog that is off. */
void section_watchdog_init(struct reader *reader,
                           struct watchdog_spec *watchdog);

/* Reads the watchdog of a switch ('is_card': of a card): on, off, or a map. */
enum st section_watchdog(struct reader *reader, struct fy_node *node,
                         bool is_card,
                         struct watchdog_spec *watchdog) ST_WARN_UNUSED;

/* Reads MACsec of a link: on, off ('*made' is NULL), or a map. */
enum st section_macsec(struct reader *reader, struct fy_node *node,
                       const struct macsec_spec **made) ST_WARN_UNUSED;

/* Reads link-level retry of a link: on, off ('*made' is NULL), or a map. */
enum st section_llr(struct reader *reader, struct fy_node *node,
                    const struct llr_spec **made) ST_WARN_UNUSED;

/* Reads credit-based flow control of a link: on, off ('*made' is NULL), or a
 * map. */
enum st section_credits(struct reader *reader, struct fy_node *node,
                        const struct credit_spec **made) ST_WARN_UNUSED;

/* Refuses the keys of a link, the map 'node', if they say how long bursts of
 * errors are, but not how many bits are wrong. */
enum st section_check_errors(struct reader *reader,
                             struct fy_node *node) ST_WARN_UNUSED;

/* Reads the VLAN of the hosts of a switch: on, off, or a map. */
enum st section_vlan(struct reader *reader, struct fy_node *node,
                     struct vlan_spec *vlan) ST_WARN_UNUSED;

/* Reads 'switch:', the map of roles, and 'ecmp:'; NULL: the defaults. */
enum st section_roles(struct reader *reader, struct fy_node *node,
                      struct fabric_spec *fabric) ST_WARN_UNUSED;
enum st section_ecmp(struct reader *reader, struct fy_node *node,
                     struct ecmp_spec *ecmp) ST_WARN_UNUSED;

/* Reads the fields of rows of CONFIG_DB, "TABLE|KEY: {field: value}". */
enum st section_set(struct reader *reader, struct fy_node *node,
                    const struct config_field **set,
                    size_t *n_set) ST_WARN_UNUSED;

enum st section_hosts(struct reader *reader, struct fy_node *node,
                      struct scenario *scenario) ST_WARN_UNUSED;

/* Reads PCIe: "gen3x8", "off" or a map. */
enum st section_pcie(struct reader *reader, struct fy_node *node,
                     struct pcie_spec *pcie) ST_WARN_UNUSED;

/* Fills '*caches' with the defaults, by which everything fits; reads a map over
 * those of 'host'.  'is_file': it is in the file of an adapter, whose caches
 * are without effect until a host has PCIe. */
void section_caches_init(struct reader *reader, struct caches_spec *caches);
enum st section_caches(struct reader *reader, struct fy_node *node,
                       bool is_file, struct host_spec *host) ST_WARN_UNUSED;

/* Reads the memory that a host registers: on, off, or a map. */
enum st section_memory(struct reader *reader, struct fy_node *node,
                       struct memory_spec *memory) ST_WARN_UNUSED;

/* Reads the disk of a host: on, off, or a map. */
enum st section_ssd(struct reader *reader, struct fy_node *node,
                    struct ssd_spec *ssd) ST_WARN_UNUSED;

/* Reads the PCIe switches of all hosts; NULL: there are none. */
enum st section_pcie_switches(struct reader *reader, struct fy_node *node,
                              struct scenario *scenario) ST_WARN_UNUSED;

/* Reads a map of the keys of a host over '*host', which is complete. */
enum st section_host_keys(struct reader *reader, struct fy_node *node,
                          const char *what,
                          struct host_spec *host) ST_WARN_UNUSED;

/* Fills '*host' with the defaults and the adapter 'name', the value of 'node':
 * "plain", which has nothing but defaults, or a file of 'reader->nics'. */
enum st section_nic(struct reader *reader, struct fy_node *node,
                    const char *name, struct host_spec *host) ST_WARN_UNUSED;

/* Reads how connections change between RDMA and TCP: a map. */
enum st section_failover(struct reader *reader, struct fy_node *node,
                         struct failover_spec *failover) ST_WARN_UNUSED;

/* Reads where bits of data flip: a map. */
enum st section_flips(struct reader *reader, struct fy_node *node,
                      struct ratio flips[TRAFFIC_N_FLIP_PLACES]) ST_WARN_UNUSED;

/* Processes an item of 'traffic' that was read from 'node'. */
typedef enum st section_item_fn(struct reader *reader, struct fy_node *node,
                                const struct traffic_spec *item, void *context);

/* Reads the map 'node' of a pingmesh, of which 'base' has what all items have,
 * and calls 'add' for each item that it stands for. */
enum st section_pingmesh(struct reader *reader, struct fy_node *node,
                         const struct traffic_spec *base, section_item_fn *add,
                         void *context) ST_WARN_UNUSED;

/* Reads the map 'node' of disks, of which 'base' has what all items have, and
 * the defaults of sU-RDMA, and calls 'add' for each item that it stands for. */
enum st section_disk(struct reader *reader, struct fy_node *node,
                     const struct traffic_spec *base, section_item_fn *add,
                     void *context) ST_WARN_UNUSED;

enum st section_traffic(struct reader *reader, struct fy_node *node,
                        struct scenario *scenario) ST_WARN_UNUSED;

enum st section_faults(struct reader *reader, struct fy_node *node,
                       struct scenario *scenario) ST_WARN_UNUSED;

enum st section_restarts(struct reader *reader, struct fy_node *node,
                         struct scenario *scenario) ST_WARN_UNUSED;

enum st section_repairs(struct reader *reader, struct fy_node *node,
                        struct scenario *scenario) ST_WARN_UNUSED;

enum st section_rollout(struct reader *reader, struct fy_node *node,
                        struct scenario *scenario) ST_WARN_UNUSED;

enum st section_drift(struct reader *reader, struct fy_node *node,
                      struct scenario *scenario) ST_WARN_UNUSED;

enum st section_record(struct reader *reader, struct fy_node *node,
                       struct scenario *scenario) ST_WARN_UNUSED;

/* Reads 'expect:' for the run of 'scenario', whose name, run and traffic are
 * known.  'sweep' and 'variants' are the values of these keys. */
enum st section_expect(struct reader *reader, struct fy_node *node,
                       struct fy_node *sweep, struct fy_node *variants,
                       struct scenario *scenario) ST_WARN_UNUSED;

#endif /* lab/scenario/sections.h */
