import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";

let hash = (text: string): string => bytesToHex(sha256(utf8ToBytes(text)));

/** Returns the SHA-256 of a text, in hexadecimal. */
export function sha256Of(text: string): string {
  return hash(text);
}

/**
 * Takes the platform's own SHA-256 from now on. Node's is nine times as fast, but to load it takes longer than a test takes to hash; so
 * only programs that hash much do.
 */
export function hashBy(own: (text: string) => string): void {
  hash = own;
}
