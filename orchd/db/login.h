/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_DB_LOGIN_H
#define ORCHD_DB_LOGIN_H

/* The password of Redis, in a file: a command line shows in "ps", and a setting
 * in every listing. */

#include "base/status.h"

#define LOGIN_PASSWORD_SIZE 514

/* Reads the first line of 'path' into 'password', which the caller overwrites
 * after use (explicit_bzero()).  ST_NOT_FOUND or ST_IO: the file cannot be
 * read. ST_INVALID: other users can read it, or its first line has not 1 to 512
 * bytes.  All fill 'err', never with the password. */
enum st login_read(const char *path, char password[LOGIN_PASSWORD_SIZE],
                   struct err *err) ST_WARN_UNUSED;

#endif /* orchd/db/login.h */
