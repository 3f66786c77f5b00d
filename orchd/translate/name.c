/* SPDX-License-Identifier: Apache-2.0 */

/* Names of objects. */

#include <config.h>

#include "orchd/translate/name.h"

#include <stdbool.h>
#include <string.h>

static bool
is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Compares the numbers that 'a' and 'b' start with, by length and then by
 * digits, and advances both past them. */
static int
compare_numbers(const char **a, const char **b)
{
    size_t n, m;
    int order;

    *a += strspn(*a, "0");
    *b += strspn(*b, "0");
    n = strspn(*a, "0123456789");
    m = strspn(*b, "0123456789");
    order = n != m ? (n > m) - (n < m) : strncmp(*a, *b, n);
    *a += n;
    *b += m;
    return order;
}

static int
compare_naturally(const char *a, const char *b)
{
    const char *x = a, *y = b;

    while (*x && *y) {
        if (is_digit(*x) && is_digit(*y)) {
            int order = compare_numbers(&x, &y);

            if (order) {
                return order;
            }
        } else if (*x != *y) {
            break;
        } else {
            x++;
            y++;
        }
    }
    if (*x != *y) {
        return (unsigned char)*x < (unsigned char)*y ? -1 : 1;
    }
    return strcmp(a, b); /* Equal, except perhaps for leading zeros. */
}

int
object_name_compare(const struct object_name *a, const struct object_name *b)
{
    int order = (a->table > b->table) - (a->table < b->table);

    if (order == 0) {
        order = compare_naturally(a->name, b->name);
    }
    return order ? order : (a->index > b->index) - (a->index < b->index);
}

void
object_name_add(struct text *text, const struct object_name *name)
{
    table_add_row(text, name->table, name->name);
    if (name->index >= 0) {
        text_add_char(text, '|');
        text_add_number(text, (uint64_t)name->index);
    }
}
