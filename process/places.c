/* SPDX-License-Identifier: Apache-2.0 */

/* Looks at the path of this program and at the Makefile of its build. */

#include <config.h>

#include "process/places.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

/* Cuts the last component off 'path'; returns it, "" if there is none. */
static const char *
cut(char *path)
{
    char *slash = strrchr(path, '/');

    if (!slash) {
        return "";
    }
    *slash = '\0';
    return slash + 1;
}

/* Reads the folder of the sources from the Makefile of 'build'. */
static void
read_source(const char *build, char *source)
{
    static const char before[] = "abs_top_srcdir = ";
    char path[PLACES_PATH_SIZE + 16], line[PLACES_PATH_SIZE + sizeof before];
    FILE *file;

    text_format(path, sizeof path, "%s/Makefile", build);
    file = fopen(path, "re");
    while (file && !*source && fgets(line, sizeof line, file)) {
        if (!strncmp(line, before, sizeof before - 1)) {
            line[strcspn(line, "\n")] = '\0';
            text_copy(source, PLACES_PATH_SIZE, line + sizeof before - 1);
        }
    }
    if (file) {
        (void)fclose(file);
    }
}

void
places_find(struct places *places)
{
    char program[PLACES_PATH_SIZE] = "";
    const char *name;

    *places = (struct places){.here = ""};
    if (readlink("/proc/self/exe", program, sizeof program - 1) < 0) {
        return;
    }
    name = cut(program);
    text_copy(places->here, sizeof places->here, program);
    if (!strcmp(cut(program), name)) {
        read_source(program, places->source);
        if (*places->source) {
            text_copy(places->build, sizeof places->build, program);
        }
    }
}

/* Writes 'part' below 'top', or 'installed' if there is no such folder. */
static const char *
choose(const char *top, const char *part, const char *installed, char *path)
{
    if (*top) {
        text_format(path, PLACES_PATH_SIZE, "%s/%s", top, part);
    } else {
        text_copy(path, PLACES_PATH_SIZE, installed);
    }
    return path;
}

const char *
places_data(const struct places *places, const char *in_source,
            const char *installed, char *path)
{
    return choose(places->source, in_source, installed, path);
}

const char *
places_built(const struct places *places, const char *in_build,
             const char *installed, char *path)
{
    return choose(places->build, in_build, installed, path);
}

const char *
places_program(const struct places *places, const char *name, char *path)
{
    static const char *const forms[] = {"%s/%s", "%s/../sbin/%s",
                                        "%s/../bin/%s"};

    if (*places->build) {
        text_format(path, PLACES_PATH_SIZE, "%s/%s/%s", places->build, name,
                    name);
        return path;
    }
    for (size_t i = 0; i < sizeof forms / sizeof forms[0]; i++) {
        text_format(path, PLACES_PATH_SIZE, forms[i], places->here, name);
        if (!access(path, X_OK)) {
            return path;
        }
    }
    text_copy(path, PLACES_PATH_SIZE, name);
    return path;
}
