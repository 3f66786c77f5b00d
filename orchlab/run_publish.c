/* SPDX-License-Identifier: Apache-2.0 */

/* Chooses the switch to publish. */

#include <config.h>

#include "orchlab/run_publish.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/check.h"
#include "base/text.h"
#include "lab/builder/switch_image.h"
#include "lab/exec/run.h"
#include "lab/publish/publication.h"
#include "lab/scenario/scenario.h"
#include "process/places.h"

struct run_publish {
    struct run_publish_options options;
    char name[64]; /* Of the switch; "": none. */
    char orchd[PLACES_PATH_SIZE], orchctl[PLACES_PATH_SIZE];
    char library[PLACES_PATH_SIZE];
    struct publication *publication; /* NULL: nothing was published yet. */
};

struct run_publish *
run_publish_create(const struct run_publish_options *options)
{
    struct run_publish *publish = check_calloc(1, sizeof *publish);
    struct places places;

    publish->options = *options;
    text_copy(publish->name, sizeof publish->name,
              options->name ? options->name : "");
    places_find(&places);
    places_program(&places, "orchd", publish->orchd);
    places_program(&places, "orchctl", publish->orchctl);
    places_built(&places, ".libs/libsai-softasic.so",
                 PKGLIBDIR "/libsai-softasic.so", publish->library);
    return publish;
}

static void
end(struct run_publish *publish)
{
    publication_destroy(publish->publication);
    publish->publication = NULL;
    publish->name[0] = '\0';
}

void
run_publish_destroy(struct run_publish *publish)
{
    if (publish) {
        end(publish);
        free(publish);
    }
}

/* Creates the publication if there is none yet. */
static enum st
prepare(struct run_publish *publish, struct err *err)
{
    const struct publication_options options = {
        .redis = publish->options.redis,
        .orchd = publish->orchd,
        .orchctl = publish->orchctl,
        .library = publish->library,
        .chips_dir = publish->options.files->chips_dir,
        .yang_dir = publish->options.files->yang_dir,
    };

    return publish->publication
               ? ST_OK
               : publication_create(&options, &publish->publication, err);
}

enum st
run_publish_again(struct run_publish *publish, struct run *run, struct err *err)
{
    const struct scenario *scenario = publish->options.scenario;
    struct switch_instance *instance;
    struct publication_subject subject;
    struct text label = {0};
    enum st st;

    if (!*publish->name) {
        return ST_OK;
    }
    st = run_find_switch(run, publish->name, &instance, err);
    st = st ? st : prepare(publish, err);
    if (st) {
        publish->name[0] = '\0';
        return st;
    }
    text_addf(&label, "%s, seed %" PRIu64, scenario->name, scenario->run.seed);
    subject = (struct publication_subject){
        .asic = switch_instance_asic(instance),
        .name = publish->name,
        .scenario = text_string(&label),
        .t_ps = run_now(run),
        .config = switch_instance_config(instance),
    };
    st = publication_show(publish->publication, &subject, err);
    if (st) {
        publish->name[0] = '\0';
    } else {
        publication_print(publish->publication, publish->options.output);
    }
    text_fini(&label);
    return st;
}

enum st
run_publish_set(struct run_publish *publish, struct run *run, const char *name,
                struct err *err)
{
    struct switch_instance *instance;
    enum st st;

    if (!strcmp(name, "off")) {
        end(publish);
        return ST_OK;
    }
    if (!*name) {
        return err_set(err, ST_INVALID, "usage",
                       "publish needs the name of a switch, or 'off'");
    }
    st = run_find_switch(run, name, &instance, err);
    if (!st) {
        text_copy(publish->name, sizeof publish->name, name);
        st = run_publish_again(publish, run, err);
    }
    return st;
}
