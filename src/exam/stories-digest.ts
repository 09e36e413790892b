import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { sha256Of } from "../kit/base/runtime/sha256.ts";

export const NO_STORIES = "0".repeat(64);

/** Adds a story to a digest. The order does not matter, so the digests of shards can be joined. */
export function withStory(digest: string, number: number, ofStory: string): string {
  return joinDigests(digest, sha256Of(`${number} ${ofStory}`));
}

export function joinDigests(one: string, other: string): string {
  const bytes = hexToBytes(other);
  return bytesToHex(hexToBytes(one).map((byte, index) => byte ^ (bytes[index] ?? 0)));
}
