import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Writes files into a new folder, and returns it. */
export function folderWith(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), "centavo-"));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** The text of a story file whose script has this body. */
export function story(body: string, before = ""): string {
  return `${before}\nexport default { title: "A story", options: {}, script: async (stage) => { ${body} } };`;
}

export const PASSES = story("");

/** A recorded call without a token, as a plain list has it. */
export const refusedCall = {
  startedAt: "2026-11-27T09:00:00Z",
  request: { method: "POST", url: "https://sandbox.pay.example/api/payment-intent", body: { amount: 10_000 } },
  answer: {
    status: 401,
    headers: { "content-type": "application/json" },
    body: { success: false, message: "The header Authorization is missing", code: "UNAUTHORIZED" },
  },
};
