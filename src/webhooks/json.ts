/** How the JSON of a webhook body is written; assumption `webhook.body`. */
export type WebhookBodyFormat = "compact" | "spaced";

/**
 * Writes a webhook body. `compact` is what `JSON.stringify` writes. `spaced` is the same JSON value in the dress that PHP and
 * Python services send: spaces after separators, keys in another order (reversed), `\/`, and `\u` escapes for all but ASCII.
 * A receiver that parses the body and writes it again before verifying passes on the first and fails on the second.
 *
 * @example
 * formatWebhookBody({ id: "evt_1", url: "https://a.é" }, "spaced"); // {"url": "https:\/\/a.\u00e9", "id": "evt_1"}
 */
export function formatWebhookBody(value: unknown, format: WebhookBodyFormat): string {
  const compact = JSON.stringify(value);
  return format === "compact" ? compact : spaced(JSON.parse(compact));
}

function spaced(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(spaced).join(", ")}]`;
  if (typeof value === "object" && value !== null) {
    const members = Object.entries(value).map(([key, member]) => `${escaped(key)}: ${spaced(member)}`);
    return `{${members.toReversed().join(", ")}}`;
  }
  return typeof value === "string" ? escaped(value) : JSON.stringify(value);
}

function escaped(text: string): string {
  return JSON.stringify(text)
    .replaceAll("/", String.raw`\/`)
    .replaceAll(/[\u007f-\uffff]/g, (unit) => String.raw`\u` + unit.charCodeAt(0).toString(16).padStart(4, "0"));
}
