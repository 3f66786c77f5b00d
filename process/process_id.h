/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_PROCESS_ID_H
#define ORCHD_PROCESS_PROCESS_ID_H

/* The identity of a process, as text that another process, on another machine
 * or after a reboot, can compare.
 *
 *   HOST/BOOT/NAMESPACE/PID/START
 *
 * A pid alone says little: it is used again, also after a reboot, and each
 * container has its own numbers.  BOOT is the boot id of the kernel, NAMESPACE
 * the inode of the pid namespace, START the start time of the process in clock
 * ticks since boot. */

#include <stdbool.h>

#define PROCESS_ID_SIZE 256

enum process_life {
    PROCESS_RUNS,
    PROCESS_ENDED,
    PROCESS_UNKNOWN, /* It is of another host, boot or pid namespace. */
};

/* Stores the identity of this process in 'id'.  A part that the system does
 * not reveal is "-". */
void process_id_own(char id[PROCESS_ID_SIZE]);

/* Returns whether the process 'id' runs; any text is accepted.  A zombie has
 * ended. */
enum process_life process_id_life(const char *id);

#endif /* process/process_id.h */
