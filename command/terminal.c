/* SPDX-License-Identifier: Apache-2.0 */

/* Asks the environment and the terminal. */

#include <config.h>

#include "command/terminal.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/parse.h"

#define WIDTH_USUAL 80
#define WIDTH_MAX   100000

size_t
terminal_width(void)
{
    const char *columns = getenv("COLUMNS");
    struct winsize size;
    uint64_t width;

    if (columns && !parse_u64(columns, 1, WIDTH_MAX, &width)) {
        return (size_t)width;
    }
    if (!isatty(STDOUT_FILENO)) {
        return SIZE_MAX;
    }
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) || !size.ws_col
               ? WIDTH_USUAL
               : size.ws_col;
}

size_t
terminal_height(void)
{
    struct winsize size;

    return !isatty(STDOUT_FILENO) || ioctl(STDOUT_FILENO, TIOCGWINSZ, &size)
               ? 0
               : size.ws_row;
}

const char *
terminal_begin(enum terminal_colour colour)
{
    static const char *const sequences[] = {[TERMINAL_GOOD] = "\033[32m",
                                            [TERMINAL_WARNING] = "\033[33m",
                                            [TERMINAL_ALARM] = "\033[31m"};

    return terminal_has_colours() ? sequences[colour] : "";
}

const char *
terminal_end(void)
{
    return terminal_has_colours() ? "\033[0m" : "";
}

bool
terminal_has_colours(void)
{
    const char *no = getenv("NO_COLOR");
    const char *term = getenv("TERM");

    return isatty(STDOUT_FILENO) && (!no || !*no) && term && *term &&
           strcmp(term, "dumb") != 0;
}

bool
terminal_has_blocks(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    const char *term = getenv("TERM"), *locale = NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names && !locale; i++) {
        locale = getenv(names[i]);
        locale = locale && *locale ? locale : NULL;
    }
    return locale && (!term || strcmp(term, "dumb") != 0) &&
           (strcasestr(locale, "utf-8") || strcasestr(locale, "utf8"));
}
