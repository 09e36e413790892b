"use strict";

/** Reports each test of `node:test` as a line of JSON. */
module.exports = async function* report(events) {
  for await (const { type, data } of events) {
    if (type !== "test:pass" && type !== "test:fail") continue;
    const { cause, message } = data.details.error ?? {};
    yield `${JSON.stringify({ title: data.name, failure: type === "test:fail" ? String(cause ?? message) : undefined })}\n`;
  }
};
