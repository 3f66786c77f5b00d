/* SPDX-License-Identifier: Apache-2.0 */

/* Appends HTML to a page. */

#include <config.h>

#include "results/html.h"

#include <string.h>

#include "base/text.h"

static const char before_title[] =
    "<!DOCTYPE html>\n<html lang=en><head><meta charset=utf-8><meta "
    "name=viewport content=\"width=device-width, initial-scale=1\"><title>";

static const char after_title[] =
    "</title>\n<style>\n"
    ":root{color-scheme:light dark;--line:#bbb;--good:#0a6b2d;--bad:#b00020}\n"
    "@media (prefers-color-scheme:dark){:root{--line:#555;--good:#6fdc8c;"
    "--bad:#ff8a94}}\n"
    "body{font:16px/1.4 sans-serif;margin:1rem auto;max-width:75rem;"
    "padding:0 1rem}\n"
    "table{border-collapse:collapse;font-size:.85rem}\n"
    "th,td{border:1px solid var(--line);padding:.2rem .5rem;text-align:left;"
    "vertical-align:top}\n"
    ".n{text-align:right;font-variant-numeric:tabular-nums}\n"
    ".good{color:var(--good)}.bad{color:var(--bad);font-weight:bold}\n"
    ".wide{overflow-x:auto;max-height:40rem}figure{margin:1rem 0}\n"
    "figure svg{max-width:100%;height:auto;background:#fff}\n"
    "pre{overflow-x:auto;font-size:.85rem}\n"
    "@media print{.wide,pre{overflow:visible;max-height:none}}\n"
    "</style></head><body>\n<h1>";

void
html_start(struct text *page, const char *title, const char *heading)
{
    text_add(page, before_title);
    html_add(page, title);
    text_add(page, after_title);
    html_add(page, heading);
    text_add(page, "</h1>\n");
}

void
html_end(struct text *page)
{
    text_add(page, "</body></html>\n");
}

void
html_add(struct text *page, const char *string)
{
    for (; *string; string++) {
        switch (*string) {
        case '<':
            text_add(page, "&lt;");
            break;
        case '>':
            text_add(page, "&gt;");
            break;
        case '&':
            text_add(page, "&amp;");
            break;
        case '"':
            text_add(page, "&quot;");
            break;
        default:
            text_add_char(page, *string);
            break;
        }
    }
}

void
html_add_svg(struct text *page, const struct text *svg)
{
    const char *start = strstr(text_string(svg), "<svg");

    if (start) {
        text_addf(page, "<figure>%s</figure>\n", start);
    }
}
