/* SPDX-License-Identifier: Apache-2.0 */

/* MRG32k3a. */

#include <config.h>

#include "tests/support/mrg32k3a.h"

#include <string.h>

#define M1 UINT64_C(4294967087)
#define M2 UINT64_C(4294944443)

/* What a step does to the three values of a component. */
struct step {
    uint64_t at[3][3];
};

static const struct step x_step = {
    {{0, 1, 0}, {0, 0, 1}, {M1 - 810728, 1403580, 0}}};
static const struct step y_step = {
    {{0, 1, 0}, {0, 0, 1}, {M2 - 1370589, 0, 527612}}};

/* Doubles the number of steps of 'step'. */
static void
square(struct step *step, uint64_t modulus)
{
    const struct step a = *step;

    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            uint64_t sum = 0;

            for (int j = 0; j < 3; j++) {
                sum = (sum + a.at[i][j] * a.at[j][k] % modulus) % modulus;
            }
            step->at[i][k] = sum;
        }
    }
}

static void
apply(const struct step *step, uint64_t values[3], uint64_t modulus)
{
    uint64_t next[3] = {0, 0, 0};

    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            next[i] =
                (next[i] + step->at[i][j] * values[j] % modulus) % modulus;
        }
    }
    memcpy(values, next, sizeof next);
}

void
mrg32k3a_init(struct mrg32k3a *generator, uint32_t seed)
{
    for (int i = 0; i < 3; i++) {
        generator->x[i] = generator->y[i] = seed;
    }
}

void
mrg32k3a_jump(struct mrg32k3a *generator, unsigned int power)
{
    struct step x = x_step, y = y_step;

    for (unsigned int i = 0; i < power; i++) {
        square(&x, M1);
        square(&y, M2);
    }
    apply(&x, generator->x, M1);
    apply(&y, generator->y, M2);
}

double
mrg32k3a_next(struct mrg32k3a *generator)
{
    uint64_t x, y;

    apply(&x_step, generator->x, M1);
    apply(&y_step, generator->y, M2);
    x = generator->x[2];
    y = generator->y[2];
    return (double)(x > y ? x - y : x + M1 - y) / (double)(M1 + 1);
}
