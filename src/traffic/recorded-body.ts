import { decompressedAtOnce } from "../kit/base/runtime/decompression.ts";

/** How much of one body is kept, in bytes. */
const LARGEST_BODY = 1024 * 1024;

/** A body as the file has it. */
export interface KeptBody {
  /** How many bytes were sent, compressed as they were. */
  readonly size: number;
  /** Absent without a body, for one that is no text, and for one that was too long. */
  readonly text?: string;
  /** Why the text is absent, although there was a body. */
  readonly omitted?: "binary" | "too long";
}

/** The body of a request or an answer, while it is sent. */
export class RecordedBody {
  #chunks: Uint8Array[] = [];
  #size = 0;

  add(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size <= LARGEST_BODY) this.#chunks.push(new Uint8Array(chunk));
    else this.#chunks = [];
  }

  /** @param header returns the value of a header of the message */
  read(header: (name: string) => string | undefined): KeptBody {
    const size = this.#size;
    if (size === 0) return { size };
    if (size > LARGEST_BODY) return { size, omitted: "too long" };
    let bytes = joined(this.#chunks, size);
    for (const coding of codingsIn(header("content-encoding"))) {
      const plain = decompressedAtOnce(bytes, coding, LARGEST_BODY);
      if (plain === "too-large") return { size, omitted: "too long" };
      if (plain === undefined || typeof plain === "string") return { size, omitted: "binary" };
      bytes = plain;
    }
    const text = textOf(bytes, /\bcharset\s*=\s*"?([\w-]+)/i.exec(header("content-type") ?? "")?.[1]);
    return text === undefined ? { size, omitted: "binary" } : { size, text };
  }
}

function joined(chunks: readonly Uint8Array[], size: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.byteLength;
  }
  return bytes;
}

/** The last coding was applied last. */
function codingsIn(header = ""): readonly string[] {
  return header
    .split(",")
    .map((coding) => coding.trim().toLowerCase())
    .filter((coding) => coding !== "" && coding !== "identity")
    .toReversed();
}

function textOf(bytes: Uint8Array, charset = "utf-8"): string | undefined {
  try {
    const text = new TextDecoder(charset, { fatal: true }).decode(bytes);
    return text.includes("\0") ? undefined : text;
  } catch {
    return undefined;
  }
}
