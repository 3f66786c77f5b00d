/* SPDX-License-Identifier: Apache-2.0 */

/* Cuts the head into lines and words in place. */

#include <config.h>

#include "orchd/http/http_request.h"

#include <arpa/inet.h>
#include <string.h>
#include <strings.h>

#include "base/parse.h"
#include "base/text.h"

static const struct {
    const char *name;
    enum http_method method;
} methods[] = {
    {"GET", HTTP_GET},
    {"HEAD", HTTP_HEAD},
    {"POST", HTTP_POST},
};

size_t
http_head_length(const char *text, size_t length)
{
    const char *end = text + length;

    for (const char *c = text; (c = memchr(c, '\n', (size_t)(end - c)));) {
        c++;
        if (end - c >= 1 && c[0] == '\n') {
            return (size_t)(c + 1 - text);
        }
        if (end - c >= 2 && c[0] == '\r' && c[1] == '\n') {
            return (size_t)(c + 2 - text);
        }
    }
    return 0;
}

/* Cuts the first line off '*rest'.  Returns NULL if it has a byte that no head
 * may have. */
static char *
next_line(char **rest)
{
    char *line = *rest;
    char *end = strchr(line, '\n');

    if (!end) {
        return NULL;
    }
    *rest = end + 1;
    if (end > line && end[-1] == '\r') {
        end--;
    }
    *end = '\0';
    for (const char *c = line; *c; c++) {
        if ((unsigned char)*c < ' ' && *c != '\t') {
            return NULL;
        }
        if (*c == 0x7f) {
            return NULL;
        }
    }
    return line;
}

/* Returns whether each byte of the target is visible ASCII. */
static bool
is_target(const char *target)
{
    if (*target != '/') {
        return false;
    }
    for (const char *c = target; *c; c++) {
        if (*c <= ' ' || *c > '~') {
            return false;
        }
    }
    return true;
}

/* Parses "GET /path?query HTTP/1.1". */
static enum http_status
parse_request_line(char *line, struct http_request *request, bool *old)
{
    char *target = strchr(line, ' ');
    char *version = target ? strchr(target + 1, ' ') : NULL;
    char *query;
    size_t i = 0;

    if (!version) {
        return HTTP_STATUS_BAD;
    }
    *target++ = *version++ = '\0';
    if (!is_target(target) || strncmp(version, "HTTP/", 5)) {
        return HTTP_STATUS_BAD;
    }
    *old = !strcmp(version, "HTTP/1.0");
    if (!*old && strcmp(version, "HTTP/1.1")) {
        return HTTP_STATUS_VERSION;
    }
    while (i < sizeof methods / sizeof *methods &&
           strcmp(methods[i].name, line)) {
        i++;
    }
    if (i == sizeof methods / sizeof *methods) {
        return HTTP_STATUS_NOT_IMPLEMENTED;
    }
    query = strchr(target, '?');
    if (query) {
        *query++ = '\0';
    }
    request->method = methods[i].method;
    request->path = target;
    request->query = query ? query : "";
    return HTTP_STATUS_OK;
}

/* Returns the value of a header line "NAME: VALUE", and ends its name; NULL if
 * it is no such line. */
static char *
split_header(char *line)
{
    static const char token[] =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyz"
        "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    const size_t n = strspn(line, token);
    char *value = line + n + 1;
    char *end;

    if (!n || line[n] != ':') {
        return NULL;
    }
    line[n] = '\0';
    value += strspn(value, " \t");
    for (end = value + strlen(value);
         end > value && (end[-1] == ' ' || end[-1] == '\t'); end--) {
    }
    *end = '\0';
    return value;
}

/* Takes a header that matters. */
static enum http_status
take_header(const char *name, const char *value, struct http_request *request)
{
    uint64_t length;

    if (!strcasecmp(name, "Host")) {
        if (request->host || !*value) {
            return HTTP_STATUS_BAD;
        }
        request->host = value;
    } else if (!strcasecmp(name, "Origin")) {
        if (request->origin) {
            return HTTP_STATUS_BAD;
        }
        request->origin = value;
    } else if (!strcasecmp(name, "If-None-Match")) {
        request->if_none_match = value;
    } else if (!strcasecmp(name, "Accept-Encoding")) {
        request->accept_encoding = value;
    } else if (!strcasecmp(name, "Transfer-Encoding")) {
        return HTTP_STATUS_NOT_IMPLEMENTED;
    } else if (!strcasecmp(name, "Content-Length")) {
        if (parse_u64(value, 0, UINT64_MAX, &length)) {
            return HTTP_STATUS_BAD;
        }
        return length ? HTTP_STATUS_BODY : HTTP_STATUS_OK;
    }
    return HTTP_STATUS_OK;
}

enum http_status
http_request_parse(char *head, size_t length, struct http_request *request)
{
    enum http_status status;
    char *rest = head, *line;
    bool old = false;

    memset(request, 0, sizeof *request);
    if (!length || head[length - 1] != '\n' || memchr(head, '\0', length)) {
        return HTTP_STATUS_BAD;
    }
    head[length - 1] = '\0'; /* The empty line, if it is "\n"; else its end. */
    line = next_line(&rest);
    if (!line) {
        return HTTP_STATUS_BAD;
    }
    status = parse_request_line(line, request, &old);
    while (status == HTTP_STATUS_OK && *rest && strcmp(rest, "\r")) {
        char *value;

        line = next_line(&rest);
        value = line ? split_header(line) : NULL;
        status = value ? take_header(line, value, request) : HTTP_STATUS_BAD;
    }
    if (status == HTTP_STATUS_OK && !request->host) {
        request->host = "";
        status = old ? HTTP_STATUS_OK : HTTP_STATUS_BAD;
    }
    return status;
}

/* Copies the name of a Host, without port and brackets. */
static bool
host_name(const char *host, char *name, size_t size)
{
    const bool bracketed = *host == '[';
    const char *begin = host + bracketed;
    const size_t n = strcspn(begin, bracketed ? "]" : ":");
    const char *port = begin + n + bracketed;

    if (bracketed && begin[n] != ']') {
        return false;
    }
    if (*port &&
        (*port != ':' || port[1 + strspn(port + 1, "0123456789")] != '\0')) {
        return false;
    }
    return text_format(name, size, "%.*s", (int)n, begin);
}

bool
http_request_is_local(const struct http_request *request)
{
    unsigned char address[sizeof(struct in6_addr)];
    char name[64];

    if (!*request->host) {
        return true;
    }
    if (!host_name(request->host, name, sizeof name)) {
        return false;
    }
    return !strcasecmp(name, "localhost") ||
           inet_pton(*request->host == '[' ? AF_INET6 : AF_INET, name,
                     address) == 1;
}

bool
http_request_is_foreign(const struct http_request *request)
{
    static const char *const schemes[] = {"http://", "https://"};

    if (!request->origin) {
        return false;
    }
    for (size_t i = 0; i < sizeof schemes / sizeof *schemes; i++) {
        const size_t n = strlen(schemes[i]);

        if (!strncasecmp(request->origin, schemes[i], n) &&
            !strcasecmp(request->origin + n, request->host)) {
            return false;
        }
    }
    return true;
}

bool
http_request_has(const struct http_request *request, const char *etag)
{
    const char *list = request->if_none_match;

    /* Tags have quotes, so none is a part of another one. */
    return list && (!strcmp(list, "*") || strstr(list, etag));
}

/* Returns whether a coding of 'length' bytes, " gzip;q=0.5", is gzip with a
 * weight that is not 0. */
static bool
is_gzip(const char *coding, size_t length)
{
    static const char blanks[] = " \t";
    const char *end = coding + length;
    const char *name = coding + strspn(coding, blanks);
    const size_t n = strcspn(name, ",; \t");
    const char *weight = memchr(coding, ';', length);

    if (n != strlen("gzip") || strncasecmp(name, "gzip", n)) {
        return false;
    }
    if (!weight) {
        return true;
    }
    weight++;
    weight += strspn(weight, blanks);
    if (strncasecmp(weight, "q=", 2)) {
        return false;
    }
    weight += 2;
    weight += strspn(weight, "0.");
    return weight < end && *weight >= '1' && *weight <= '9';
}

bool
http_request_takes_gzip(const struct http_request *request)
{
    const char *coding = request->accept_encoding;

    while (coding) {
        const size_t length = strcspn(coding, ",");

        if (is_gzip(coding, length)) {
            return true;
        }
        coding = coding[length] ? coding + length + 1 : NULL;
    }
    return false;
}
