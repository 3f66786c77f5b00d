/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PROCESS_PLACES_H
#define ORCHD_PROCESS_PLACES_H

/* Where the programs and the data of this project are, for a program that needs
 * others of them.
 *
 * An installed program finds data where "make install" has put it, and other
 * programs beside itself (bin, sbin).  One that runs in a build tree uses that
 * build and its sources, so it needs neither options nor an installation: it
 * recognizes a build tree by PROGRAM/PROGRAM in a folder that has a Makefile
 * with the line "abs_top_srcdir = FOLDER", which automake writes. */

#include <stdbool.h>

enum { PLACES_PATH_SIZE = 4096 };

struct places {
    /* The folder of the program, and in a build tree the top folders of build
     * and sources, which are "" otherwise. */
    char here[PLACES_PATH_SIZE];
    char build[PLACES_PATH_SIZE];
    char source[PLACES_PATH_SIZE];
};

/* Finds out where this program is. */
void places_find(struct places *places);

/* Writes the path of data into 'path' of PLACES_PATH_SIZE bytes and returns it:
 * 'in_source' below the sources ("chips"), or 'installed', a whole path. */
const char *places_data(const struct places *places, const char *in_source,
                        const char *installed, char *path);

/* The same for a file that the build makes: 'in_build' below the build tree. */
const char *places_built(const struct places *places, const char *in_build,
                         const char *installed, char *path);

/* The same for the program 'name': of the build, or beside this one, or in the
 * folder sbin next to it; else just 'name', which means that of PATH. */
const char *places_program(const struct places *places, const char *name,
                           char *path);

#endif /* process/places.h */
