/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_ORCHCTL_TECHSUPPORT_VERB_H
#define ORCHD_ORCHCTL_TECHSUPPORT_VERB_H

/* "orchctl techsupport [FILE]": one archive with everything that a report of a
 * bug needs.
 *
 * Each item is a file of the archive: an answer of orchd as JSON, a file of
 * this machine, or the output of journalctl.  What cannot be had, because orchd
 * does not run or the user may not read it, is listed with the reason in the
 * file MISSING and on standard output; the other items are there anyway.
 *
 * Values whose names look like secrets (base/secret.h) are masked in all items.
 *
 * The archive is made by the program tar, which is on every system that this
 * runs on, rather than with a library that orchctl would need all the time for
 * a command that is rarely used. */

struct invocation;

/* Runs the verb; returns the exit code: success if the archive was written. */
int techsupport_verb(struct invocation *invocation);

#endif /* orchctl/techsupport_verb.h */
