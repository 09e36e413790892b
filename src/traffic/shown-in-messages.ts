import type { Redacting } from "../kit/base/errors/english.ts";
import { paymentService } from "../service/service.ts";

/** The fields of a recording whose text is shown when it is wrong. Any other text may hold a secret. */
const SHOWN: ReadonlySet<string> = new Set(["method", "status", "kind", "encoding", "startedAt", "startedDateTime"]);
const LONGEST = 40;

/** Writes a part of a recording into a message without its secrets. */
export const shownInMessages: Redacting = {
  value: (value) =>
    Object.fromEntries(
      Object.entries(value).map(([name, part]) => [name, typeof part === "string" ? shownText(name, part) : part]),
    ),
};

function shownText(name: string, text: string): string {
  return SHOWN.has(name) && text.length <= LONGEST ? paymentService.redaction.text(text) : "…";
}
