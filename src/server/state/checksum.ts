import { hash } from "node:crypto";
import type { Summed } from "./state-file.ts";

/** Returns a text with its checksum, which also covers the texts before it. */
export function summed(text: string, before = ""): Summed {
  return { text, checksum: hash("sha256", before + text) };
}
