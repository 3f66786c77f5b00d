// SPDX-License-Identifier: Apache-2.0

// The commands of the control protocol, by HTTP.

function url(noun, verb, values) {
  const query = new URLSearchParams();

  for (const [name, value] of Object.entries(values)) {
    query.append(name, String(value));
  }
  const text = query.toString();
  return `/api/${noun}/${verb}${text ? "?" + text : ""}`;
}

async function request(method, noun, verb, values) {
  try {
    const response = await fetch(url(noun, verb, values), { method });
    const answer = await response.json();

    if (!("exit" in answer)) {
      answer.exit = response.ok ? 0 : 1;
    }
    return answer;
  } catch (error) {
    return { exit: 2,
      error: { reason: `orchd does not answer: ${error.message}` } };
  }
}

// Both return {"exit": 0, "data": ...}, or with another exit "error", which has
// a reason and possibly a remedy.  They never throw.
export function ask(noun, verb, values = {}) {
  return request("GET", noun, verb, values);
}

export function change(noun, verb, values = {}) {
  return request("POST", noun, verb, values);
}

// Returns what to tell the user about an answer that is none.
export function reasonOf(answer) {
  const error = answer?.error ?? {};
  const reason = typeof error === "string" ? error : error.reason;

  return (reason || "the command failed") +
    (error.remedy ? `; ${error.remedy}` : "");
}
