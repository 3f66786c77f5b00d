/* SPDX-License-Identifier: Apache-2.0 */

/* An input as a program. */

#include <config.h>

#include "tests/fuzz/fuzz.h"

#include <string.h>

bool
bytes_more(const struct bytes *bytes)
{
    return bytes->left > 0;
}

uint8_t
bytes_u8(struct bytes *bytes)
{
    if (!bytes->left) {
        return 0;
    }
    bytes->left--;
    return *bytes->next++;
}

/* Returns 'n' bytes as a number, the first the lowest. */
static uint64_t
little_endian(struct bytes *bytes, unsigned int n)
{
    uint64_t value = 0;

    for (unsigned int i = 0; i < n; i++) {
        value |= (uint64_t)bytes_u8(bytes) << (8 * i);
    }
    return value;
}

uint32_t
bytes_below(struct bytes *bytes, uint32_t n)
{
    return (uint32_t)little_endian(bytes, n > 256 ? 2 : 1) % n;
}

uint64_t
bytes_number(struct bytes *bytes)
{
    uint8_t form = bytes_u8(bytes);

    switch (form >> 6) {
    case 0:
        return form;
    case 1:
        return little_endian(bytes, 1 + (form & 1));
    case 2:
        return (UINT64_C(1) << (form & 63)) + bytes_u8(bytes) % 3 - 1;
    default:
        return little_endian(bytes, 1 + (form & 7));
    }
}

const char *
bytes_string(struct bytes *bytes, char *buffer, size_t size)
{
    size_t n = bytes_u8(bytes);

    n = n < size ? n : size - 1;
    n = n < bytes->left ? n : bytes->left;
    for (size_t i = 0; i < n; i++) {
        uint8_t byte = bytes_u8(bytes);

        buffer[i] = (char)(byte ? byte : ' ');
    }
    buffer[n] = '\0';
    return buffer;
}

char *
bytes_text(const uint8_t *data, size_t size)
{
    char *text = check_malloc(size + 1);

    if (size) {
        memcpy(text, data, size);
    }
    text[size] = '\0';
    return text;
}

struct bytes_file
bytes_file(const uint8_t *data, size_t size)
{
    static const char mark[] = "\n%%\n";
    struct bytes_file file = {.text = bytes_text(data, size), .length = size};
    char *end = memmem(file.text, size, mark, sizeof mark - 1), *save = NULL;

    if (!end) {
        return file;
    }
    end[1] = '\0';
    file.length = (size_t)(end + 1 - file.text);
    for (char *line = strtok_r(end + sizeof mark - 1, "\n", &save);
         line && file.n_sets < BYTES_MAX_SETS;
         line = strtok_r(NULL, "\n", &save)) {
        char *equals = strchr(line, '=');

        if (equals) {
            *equals = '\0';
            file.sets[file.n_sets].name = line;
            file.sets[file.n_sets++].value = equals + 1;
        }
    }
    return file;
}
