/* SPDX-License-Identifier: Apache-2.0 */

/* Shows progress. */

#include <config.h>

#include "orchctl/sweep_progress.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "orchctl/case_runner.h"

/* The least time between two lines. */
#define INTERVAL_MS 100

void
sweep_progress_begin(struct sweep_progress *progress, size_t n)
{
    *progress = (struct sweep_progress){.n = n,
                                        .began_ms = case_runner_clock_ms(),
                                        .shows = isatty(STDERR_FILENO)};
}

const char *
sweep_progress_text(size_t n_ended, size_t n, double elapsed_ms,
                    char buffer[SWEEP_PROGRESS_SIZE])
{
    const double left_s =
        n_ended ? elapsed_ms / 1e3 * (double)(n - n_ended) / (double)n_ended
                : 0;
    const unsigned long s = (unsigned long)(left_s + 0.5);

    (void)text_format(buffer, SWEEP_PROGRESS_SIZE,
                      "%zu of %zu, %zu %%, ETA %lu:%02lu", n_ended, n,
                      n ? 100 * n_ended / n : 100, s / 60, s % 60);
    return buffer;
}

/* Replaces the line by 'line'.  Blanks remove the rest of the old one: a
 * terminal may know no control sequences (TERM=dumb). */
static void
write_line(struct sweep_progress *progress, const char *line)
{
    const int length = (int)strlen(line);

    fprintf(stderr, "\r%-*s", progress->length, line);
    fflush(stderr);
    progress->length = length;
}

void
sweep_progress_show(void *context, size_t n_ended)
{
    struct sweep_progress *progress = context;
    const double now_ms = case_runner_clock_ms();
    char line[SWEEP_PROGRESS_SIZE];

    if (progress->shows && now_ms - progress->shown_ms >= INTERVAL_MS) {
        progress->shown_ms = now_ms;
        write_line(progress,
                   sweep_progress_text(n_ended, progress->n,
                                       now_ms - progress->began_ms, line));
    }
}

void
sweep_progress_end(struct sweep_progress *progress)
{
    if (progress->shows && progress->shown_ms > 0) {
        write_line(progress, "");
        fputs("\r", stderr);
    }
}
