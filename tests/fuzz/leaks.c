/* SPDX-License-Identifier: Apache-2.0 */

/* Leaks that are not ours.
 *
 * libfyaml 0.7 loses a few KiB when it makes a string of a quoted text with
 * many escaped quotes.  A file that is wrong costs that once; the fuzzers would
 * find nothing else.  That we free our documents is seen by the unit tests,
 * which suppress nothing. */

#include <config.h>

/* LeakSanitizer asks for this by name. */
const char *__lsan_default_suppressions(void);

const char *
__lsan_default_suppressions(void)
{
    return "leak:libfyaml.so\n";
}
