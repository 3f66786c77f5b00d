/* SPDX-License-Identifier: Apache-2.0 */

/* Reads /proc. */

#include <config.h>

#include "process/process_id.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/parse.h"
#include "base/text.h"

#define UNKNOWN "-"

/* The field of /proc/PID/stat with the start time, counted from 1. */
#define START_FIELD 22

/* Reads the first line of a file into 'line'; "" if it cannot be read. */
static void
read_line(const char *path, char *line, size_t size)
{
    FILE *file = fopen(path, "re");

    line[0] = '\0';
    if (file) {
        if (!fgets(line, (int)size, file)) {
            line[0] = '\0';
        }
        line[strcspn(line, "\n")] = '\0';
        (void)fclose(file);
    }
}

/* Reads the state and the start time of process 'pid' ("self": this one).
 * Returns false if the system does not reveal them. */
static bool
read_stat(const char *pid, char *state, char *start, size_t size)
{
    char path[64], line[1024];
    char *word, *rest = NULL;
    unsigned int field = 3;

    text_format(path, sizeof path, "/proc/%s/stat", pid);
    read_line(path, line, sizeof line);
    /* The name of the program, in parentheses, may contain anything. */
    word = strrchr(line, ')');
    word = word ? strtok_r(word + 1, " ", &rest) : NULL;
    if (!word) {
        return false;
    }
    *state = *word;
    for (; word && field < START_FIELD; field++) {
        word = strtok_r(NULL, " ", &rest);
    }
    return word && text_copy(start, size, word);
}

/* Stores "HOST/BOOT/NAMESPACE/" in 'place'.  Returns whether it is complete, so
 * that processes with the same place can be asked about. */
static bool
find_place(char *place, size_t size)
{
    char host[65], boot[64];
    struct stat namespace;
    char inode[32] = UNKNOWN;

    if (gethostname(host, sizeof host)) {
        text_copy(host, sizeof host, UNKNOWN);
    }
    host[sizeof host - 1] = '\0';
    read_line("/proc/sys/kernel/random/boot_id", boot, sizeof boot);
    if (!stat("/proc/self/ns/pid", &namespace)) {
        text_format(inode, sizeof inode, "%llu",
                    (unsigned long long)namespace.st_ino);
    }
    return text_format(place, size, "%s/%s/%s/", host, *boot ? boot : UNKNOWN,
                       inode) &&
           *boot && strcmp(inode, UNKNOWN) != 0;
}

void
process_id_own(char id[PROCESS_ID_SIZE])
{
    char place[PROCESS_ID_SIZE - 64], start[32], state;

    if (!read_stat("self", &state, start, sizeof start)) {
        text_copy(start, sizeof start, UNKNOWN);
    }
    (void)find_place(place, sizeof place);
    text_format(id, PROCESS_ID_SIZE, "%s%ld/%s", place, (long)getpid(), start);
}

enum process_life
process_id_life(const char *id)
{
    char place[PROCESS_ID_SIZE - 64], pid[32], start[32], state;
    const char *rest, *slash;
    uint64_t number;

    if (!find_place(place, sizeof place) ||
        strncmp(id, place, strlen(place)) != 0) {
        return PROCESS_UNKNOWN;
    }
    rest = id + strlen(place);
    slash = strchr(rest, '/');
    if (!slash || (size_t)(slash - rest) >= sizeof pid) {
        return PROCESS_UNKNOWN;
    }
    memcpy(pid, rest, (size_t)(slash - rest));
    pid[slash - rest] = '\0';
    if (parse_u64(pid, 1, INT32_MAX, &number)) {
        return PROCESS_UNKNOWN;
    }
    if (kill((pid_t)number, 0) && errno == ESRCH) {
        return PROCESS_ENDED;
    }
    /* /proc may hide processes of other users. */
    if (!read_stat(pid, &state, start, sizeof start)) {
        return PROCESS_RUNS;
    }
    return state == 'Z' || state == 'X' || strcmp(start, slash + 1) != 0
               ? PROCESS_ENDED
               : PROCESS_RUNS;
}
