// SPDX-License-Identifier: Apache-2.0

// Applies what the server says has changed to a value that came before.
//
// A change is one of
//
//   {"=": value}            the value is replaced;
//   {"member": change}      an object: these members changed, or with null are
//                           gone;
//   {"3": change}           an array of the same length: these elements did;
//   anything but an object  the new value itself.

function applyMembers(value, changes) {
  for (const name of Object.keys(changes)) {
    if (changes[name] === null) {
      delete value[name];
    } else {
      value[name] = applyDelta(value[name], changes[name]);
    }
  }
  return value;
}

// Returns 'value' with 'change'; objects and arrays are changed in place.
export function applyDelta(value, change) {
  if (change === null || typeof change !== "object" || Array.isArray(change)) {
    return change;
  }
  if ("=" in change) {
    return change["="];
  }
  const container = value !== null && typeof value === "object" ? value : {};
  return applyMembers(container, change);
}
