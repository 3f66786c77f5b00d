/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_TESTS_SUPPORT_TEST_ARGUMENTS_H
#define ORCHD_TESTS_SUPPORT_TEST_ARGUMENTS_H

/* A verb with an argument of each type. */

#include "orchd/control/arguments.h"

static const char *const test_colours[] = {"red", "green", NULL};

static const struct argument test_arguments[] = {
    {"text", ARGUMENT_TEXT, false, 0, 0, NULL},
    {"colour", ARGUMENT_TEXT, false, 0, 0, test_colours},
    {"texts", ARGUMENT_TEXTS, false, 0, 0, NULL},
    {"number", ARGUMENT_NUMBER, false, -5, 1000, NULL},
    {"flag", ARGUMENT_FLAG, false, 0, 0, NULL},
    {"object", ARGUMENT_OBJECT, false, 0, 0, NULL},
    {"array", ARGUMENT_ARRAY, false, 0, 0, NULL},
    {NULL, ARGUMENT_TEXT, false, 0, 0, NULL},
};

static const struct argument_list test_argument_list = {"test", "verb",
                                                        test_arguments};

#endif /* tests/support/test_arguments.h */
