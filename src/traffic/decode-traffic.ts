import { CentavoError } from "../kit/base/errors/centavo-error.ts";

/** How large a file of recorded traffic may be, in bytes. JSON of this size is read within seconds. */
export const LARGEST_RECORDING = 256 * 1024 * 1024;
const MEGABYTE = 1024 * 1024;

/** The first bytes of files that are no text, each with what the user can do. */
const containers: readonly (readonly [start: readonly number[], why: string])[] = [
  [[0x1f, 0x8b], "is compressed with gzip. Unpack it first, such as with gunzip"],
  [
    [0x50, 0x4b, 0x03, 0x04],
    "is a zip archive. Unpack it first; Playwright writes a plain HAR file when the path of recordHar ends in .har",
  ],
];

/**
 * Returns the text of a file of recorded traffic: UTF-8, or UTF-16 as some shells write it.
 * @param name how messages call it, such as its path
 * @throws {CentavoError} `INVALID_TRAFFIC` for other encodings, and for what is too large
 */
export function decodeTraffic(content: string | Uint8Array, name: string): string {
  if (content.length > LARGEST_RECORDING)
    throw invalidTraffic(
      `${name} has ${Math.ceil(content.length / MEGABYTE)} MB, and a recording may have ${LARGEST_RECORDING / MEGABYTE} MB. Record fewer pages, or only the calls to the payment service`,
    );
  if (typeof content === "string") return content.replace(/^\uFEFF/, "");
  const container = containers.find(([start]) => start.every((byte, index) => content[index] === byte));
  if (container !== undefined) throw invalidTraffic(`${name} ${container[1]}`);
  const encoding = encodingOf(content);
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(content);
  } catch {
    throw invalidTraffic(`${name} is not written in ${encoding.toUpperCase()}. Save it as UTF-8`);
  }
}

/** Returns the error for a file that cannot be read. It has no cause: the error of a parser quotes the file, which may hold secrets. */
export function invalidTraffic(sentence: string): CentavoError {
  return new CentavoError("INVALID_TRAFFIC", `${sentence}.`);
}

/** JSON begins with a character of ASCII, which UTF-16 writes beside a zero. */
function encodingOf([first, second]: Uint8Array): "utf-8" | "utf-16le" | "utf-16be" {
  if ((first === 0xff && second === 0xfe) || second === 0) return "utf-16le";
  return (first === 0xfe && second === 0xff) || first === 0 ? "utf-16be" : "utf-8";
}
