/* SPDX-License-Identifier: Apache-2.0 */

/* Finds the link that a question is about. */

#include <config.h>

#include "orchlab/whatif_links.h"

#include <string.h>

#include "base/nearest.h"

bool
whatif_joins_switches(const struct topology *topology, uint32_t link)
{
    const struct topology_link *of = &topology->links[link];

    return !topology->nodes[of->node[0]].is_host &&
           !topology->nodes[of->node[1]].is_host;
}

int
whatif_link_level(const struct topology *topology, uint32_t link)
{
    const struct topology_link *of = &topology->links[link];
    const int a = topology->nodes[of->node[0]].tier;
    const int b = topology->nodes[of->node[1]].tier;

    return (a < b ? a : b) + 1;
}

/* Appends the name of 'link', with end 'first' before the other. */
static void
add_name(const struct topology *topology, uint32_t link, unsigned int first,
         struct text *text)
{
    const struct topology_link *of = &topology->links[link];

    text_addf(text, "%s.%s", topology->nodes[of->node[first]].name,
              topology->nodes[of->node[1 - first]].name);
    if (of->parallel) {
        text_addf(text, ".%u", (unsigned int)of->parallel);
    }
}

void
whatif_name_link(const struct topology *topology, uint32_t link,
                 struct text *text)
{
    add_name(topology, link, 0, text);
}

/* Returns the end of 'link' with which 'name' begins: the second one if that is
 * called so, otherwise the first. */
static unsigned int
first_end(const struct topology *topology, uint32_t link, const char *name)
{
    const char *second = topology->nodes[topology->links[link].node[1]].name;
    const size_t length = strcspn(name, ".");

    return strlen(second) == length && strncmp(second, name, length) == 0;
}

/* Adds the names of the links that 'switches' allows. */
static void
add_choices(const struct topology *topology, const char *name, bool switches,
            struct choices *choices)
{
    for (uint32_t i = 0; i < topology->n_links; i++) {
        if (!switches || whatif_joins_switches(topology, i)) {
            struct text known = {0};

            add_name(topology, i, first_end(topology, i, name), &known);
            choices_add(choices, text_string(&known));
            text_fini(&known);
        }
    }
}

enum st
whatif_find_link(const struct topology *topology, const char *name,
                 bool switches, uint32_t *link, struct err *err)
{
    struct choices choices;

    *link = topology_find_link(topology, name, NULL);
    if (*link != TOPOLOGY_NONE &&
        (!switches || whatif_joins_switches(topology, *link))) {
        return ST_OK;
    }
    if (*link == TOPOLOGY_NONE) {
        (void)err_set(err, ST_INVALID, "usage",
                      "there is no link '%.60s' in the scenario", name);
    } else {
        (void)err_set(err, ST_INVALID, "usage",
                      "'%.60s' is the link of a host; only links between "
                      "switches can be chosen",
                      name);
    }
    choices_init(&choices, name);
    add_choices(topology, name, switches, &choices);
    return choices_explain(&choices, "link", err);
}
