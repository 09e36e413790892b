import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { sha256Of } from "../kit/base/runtime/sha256.ts";

/** The digest of no story. */
export const NO_STORIES = "0".repeat(64);

/** Adds a story to the digest of others. It does not matter in which order, so that the digests of shards can be joined. */
export function withStory(digest: string, number: number, ofStory: string): string {
  return joinDigests(digest, sha256Of(`${number} ${ofStory}`));
}

/** Returns the digest of the stories of both. */
export function joinDigests(one: string, other: string): string {
  const bytes = hexToBytes(other);
  return bytesToHex(hexToBytes(one).map((byte, index) => byte ^ (bytes[index] ?? 0)));
}
