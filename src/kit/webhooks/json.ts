/** How the JSON of a webhook body is written. */
export type WebhookBodyFormat = "compact" | "spaced";

/**
 * Writes a webhook body. `compact` is what `JSON.stringify` writes. `spaced` is the same value as PHP and Python services write it, with
 * spaces after separators, keys in another order (reversed), `\/`, and `\u` escapes for everything but ASCII. A receiver that parses the
 * body and writes it again before it verifies passes with the first and fails with the second.
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
