/* SPDX-License-Identifier: Apache-2.0 */

/* The table of front_panel.h for the switch of this process. */

#include <config.h>

#include "vendors/softasic/front_panel.h"

#include <string.h>

#include "base/text.h"
#include "twin/chip/yaml/chip_file.h"
#include "vendors/softasic/program/notify.h"
#include "vendors/softasic/sai/chip_select.h"
#include "vendors/softasic/sai/library.h"
#include "vendors/softasic/sai/program.h"
#include "vendors/softasic/traffic/hostif_frames.h"
#include "vendors/softasic/traffic/panel.h"

/* Returns the switch that forwards, whether it has a client or not. */
static struct asic *
present(void)
{
    const struct library *library = library_get();

    return library->asic ? library->asic : library->left;
}

static sai_status_t
front_choose(struct softasic_choice *choice)
{
    struct library *library = library_get();
    struct chip *chip = NULL;
    struct err err = {0};
    sai_status_t status;

    memset(choice, 0, sizeof *choice);
    if (!library->is_initialized) {
        return SAI_STATUS_UNINITIALIZED;
    }
    status = chip_select_chip(&library->services, 0, &chip, &err);
    if (status == SAI_STATUS_SUCCESS) {
        (void)text_copy(choice->name, sizeof choice->name, chip->name);
        chip_select_explain(&library->services, 0, chip, choice->reason,
                            sizeof choice->reason);
        chip_file_destroy(chip);
    } else {
        (void)text_copy(choice->reason, sizeof choice->reason, err.reason);
        (void)text_copy(choice->remedy, sizeof choice->remedy, err.remedy);
    }
    return status;
}

static void
front_listen(const struct softasic_listener *listener)
{
    struct library *library = library_get();

    if (present()) {
        panel_end(present());
    }
    library->listens = listener != NULL;
    if (listener) {
        library->listener = *listener;
    }
}

static void
front_link(uint32_t slot, bool up)
{
    struct asic *asic = present();

    if (asic && panel_set_link(asic, slot, up)) {
        program_set_link(asic, asic->ports[slot].item);
        notify_deliver(asic);
    }
}

static void
front_send(uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    struct asic *asic = present();

    if (asic) {
        panel_send(asic, slot, bytes, n);
    }
}

static void
front_from_hostif(uint32_t slot, const uint8_t *bytes, uint32_t n)
{
    struct asic *asic = present();

    if (asic) {
        hostif_frames_send(asic, slot, bytes, n);
    }
}

static void
front_missed(uint32_t slot, uint64_t n)
{
    struct asic *asic = present();

    if (asic) {
        panel_count_missed(asic, slot, n);
    }
}

static uint32_t
front_waiting(uint32_t slot)
{
    const struct asic *asic = present();

    return asic ? panel_waiting(asic, slot) : 0;
}

static int64_t
front_arrived_ps(void)
{
    const struct asic *asic = present();

    return asic ? panel_arrived_ps(asic) : 0;
}

static void
front_run(int64_t until_ps)
{
    struct asic *asic = present();

    if (asic) {
        sim_run_until(asic->sim, until_ps);
        notify_deliver(asic);
    }
}

static int64_t
front_now_ps(void)
{
    const struct asic *asic = present();

    return asic ? sim_now_ps(asic->sim) : 0;
}

static int64_t
front_next_ps(void)
{
    const struct asic *asic = present();

    return asic ? sim_next_ps(asic->sim) : INT64_MAX;
}

const struct softasic_front *
softasic_front(uint32_t version)
{
    static const struct softasic_front front = {
        .version = SOFTASIC_FRONT_VERSION,
        .choose = front_choose,
        .listen = front_listen,
        .link = front_link,
        .send = front_send,
        .from_hostif = front_from_hostif,
        .missed = front_missed,
        .waiting = front_waiting,
        .arrived_ps = front_arrived_ps,
        .run = front_run,
        .now_ps = front_now_ps,
        .next_ps = front_next_ps,
    };

    return version == SOFTASIC_FRONT_VERSION ? &front : NULL;
}
