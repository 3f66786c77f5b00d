/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_CONTROL_STATUS_COMMAND_H
#define ORCHD_CONTROL_STATUS_COMMAND_H

/* The command "show status". */

struct call;

/* Ends 'call' with what orchd is, works on and waits for. */
void status_command_show(struct call *call);

#endif /* orchd/control/status_command.h */
