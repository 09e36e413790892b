import { hash } from "node:crypto";
import { hashBy } from "./sha256.ts";

/** Takes Node's SHA-256, for programs that hash much: a server, and an exam. */
export function hashByNode(): void {
  hashBy((text) => hash("sha256", text));
}
