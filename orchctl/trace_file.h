/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_TRACE_FILE_H
#define ORCHD_ORCHCTL_TRACE_FILE_H

/* Writes what happens on the switch of a scenario (breakpoint/trace.h) into a
 * file, whose suffix chooses the format.
 *
 * NAME.csv has a line per change, with times in simulated picoseconds.  Its
 * columns are TRACE_FILE_COLUMNS; those that do not apply are empty.  Its last
 * line is the event "end", so a file that was cut is known by it.
 *
 * NAME.pcap has the frames that leave the ports and the pause frames that
 * arrive there, with times cut to nanoseconds (results/pcap_writer.h).  A frame
 * of the generator becomes a RoCEv2 packet with its addresses, DSCP, ECN and
 * length; its IP addresses are 10.0 and the last two bytes of its MAC address.
 *
 * A file that cannot be written completely is removed. */

#include <stddef.h>

#include "base/status.h"
#include "breakpoint/trace.h"

struct trace_file;

#define TRACE_FILE_COLUMNS                                                     \
    "time_ps,event,object,priority,reserved_bytes,shared_bytes,"               \
    "headroom_bytes,threshold_bytes,headroom_limit_bytes,frame_bytes,reason"

/* Checks the suffix of 'path'.  ST_INVALID; 'err' lists those that exist. */
enum st trace_file_check(const char *path, struct err *err) ST_WARN_UNUSED;

/* Returns the file of case 'number' (from 1) of 'n', which the caller frees:
 * 'path' of a single case, else "NAME-NUMBER.SUFFIX". */
char *trace_file_path(const char *path, size_t number, size_t n);

/* Creates 'path', and stores its sink, owned by the file, in '*sink'.
 * ST_EXISTS, ST_IO; as trace_file_check(). */
enum st trace_file_create(const char *path, struct trace_file **file,
                          const struct trace_sink **sink,
                          struct err *err) ST_WARN_UNUSED;

/* Completes the file of a scenario that has ended at 'now_ps', and frees
 * 'file'. ST_IO: it could not be written, and is removed. */
enum st trace_file_finish(struct trace_file *file, int64_t now_ps,
                          struct err *err) ST_WARN_UNUSED;

/* Removes the file of a scenario that was not run, and frees 'file'.  Accepts
 * NULL. */
void trace_file_abandon(struct trace_file *file);

#endif /* orchctl/trace_file.h */
