/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ORCHD_PAGE_PAGE_API_H
#define ORCHD_PAGE_PAGE_API_H

/* The verbs of orchd by HTTP: GET and POST of /api/NOUN/VERB?name=value.
 *
 * GET runs what only views, for any client.  POST, which the server takes on
 * Unix sockets only, runs what the role of its peer allows.  The answer is that
 * of the control socket, with the status 200; or 400 for a request or an
 * argument that is invalid, 403 for what the client may not, 404 for what there
 * is not. */

struct control;
struct http_exchange;
struct http_request;

/* Answers 'exchange', whose path begins with "/api/"; 'control' is borrowed,
 * and outlives its calls. */
void page_api_serve(struct control *control, struct http_exchange *exchange,
                    const struct http_request *request);

#endif /* orchd/page/page_api.h */
