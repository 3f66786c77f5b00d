/* SPDX-License-Identifier: Apache-2.0 */

/* Repeats the choice of softasic (vendors/softasic/sai/chip_select.c), which a
 * libsai cannot report. */

#include <config.h>

#include "orchd/switch/switch_identity.h"

#include <string.h>

#include "base/text.h"
#include "orchd/switch/switch_create.h"
#include "sai/loader/loader.h"
#include "twin/chip/chip.h"
#include "twin/chip/yaml/other_chips.h"
#include "vendors/softasic/softasic.h"

const char *
switch_identity_remedy(void)
{
    return "name the chip with --profile SOFTASIC_MODEL=NAME, or add a chip "
           "file (" DOCDIR "/howto/add-a-chip.md)";
}

void
switch_identity_find(const struct loader_options *options,
                     struct loader *loader, const char *hwsku,
                     const struct chip *chip, struct switch_identity *identity)
{
    const char *model = switch_create_model(options);
    const char *host = switch_create_host(options);
    const bool matches = chip && hwsku && chip_matches(chip, hwsku);

    memset(identity, 0, sizeof *identity);
    identity->simulated = loader_symbol(loader, SOFTASIC_OPS_SYMBOL) != NULL;
    text_copy(identity->library, sizeof identity->library, options->path);
    text_copy(identity->chip, sizeof identity->chip, chip ? chip->name : "");
    if (host && switch_create_names_chip(options)) {
        text_format(identity->chosen, sizeof identity->chosen,
                    "the process at %s", host);
    } else if (model) {
        text_format(identity->chosen, sizeof identity->chosen,
                    "SOFTASIC_MODEL=%s", model);
    } else if (matches) {
        text_format(identity->chosen, sizeof identity->chosen, "hwsku %.160s",
                    hwsku);
    } else {
        text_copy(identity->chosen, sizeof identity->chosen, "default");
        if (identity->simulated) {
            other_chips_explain(switch_create_chips(options), hwsku,
                                identity->chip, identity->warning,
                                sizeof identity->warning);
        }
    }
}
