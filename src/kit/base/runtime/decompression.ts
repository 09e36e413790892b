/** What each content coding is called by Node and by the web. */
const CODINGS = {
  gzip: { node: "gunzipSync", web: "gzip" },
  "x-gzip": { node: "gunzipSync", web: "gzip" },
  deflate: { node: "inflateSync", web: "deflate" },
  br: { node: "brotliDecompressSync", web: "brotli" },
  zstd: { node: "zstdDecompressSync", web: "zstd" },
} as const;

/** Decompressed bytes, or why there are none. */
export type Decompressed = Uint8Array<ArrayBuffer> | "too-large" | "malformed" | "unsupported";

/**
 * Decompresses bytes. Node's own functions know every coding; a browser knows those of `DecompressionStream`.
 * @param most how many bytes to make, at most
 */
export async function decompressed(
  bytes: Uint8Array<ArrayBuffer>,
  coding: string,
  most: number,
): Promise<Decompressed> {
  const names = namesOf(coding);
  if (names === undefined) return "unsupported";
  return decompressedAtOnce(bytes, coding, most) ?? decompressedByStream(bytes, names.web, most);
}

/** Does the same at once. Returns undefined in a process without Node's own functions. */
export function decompressedAtOnce(
  bytes: Uint8Array<ArrayBuffer>,
  coding: string,
  most: number,
): Decompressed | undefined {
  const names = namesOf(coding);
  if (names === undefined) return "unsupported";
  const zlib = globalThis.process?.getBuiltinModule?.("node:zlib");
  if (zlib === undefined) return undefined;
  try {
    return new Uint8Array(zlib[names.node](bytes, { maxOutputLength: most }));
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "too-large" : "malformed";
  }
}

function namesOf(coding: string) {
  return Object.hasOwn(CODINGS, coding) ? CODINGS[coding as keyof typeof CODINGS] : undefined;
}

async function decompressedByStream(
  bytes: Uint8Array<ArrayBuffer>,
  format: string,
  most: number,
): Promise<Decompressed> {
  let decompression;
  try {
    decompression = new DecompressionStream(format as CompressionFormat);
  } catch {
    return "unsupported";
  }
  const reader = new Blob([bytes]).stream().pipeThrough(decompression).getReader();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let length = 0;
  try {
    for (let chunk = await reader.read(); !chunk.done; chunk = await reader.read()) {
      length += chunk.value.byteLength;
      if (length > most) {
        await reader.cancel();
        return "too-large";
      }
      chunks.push(chunk.value);
    }
  } catch {
    return "malformed";
  }
  return new Uint8Array(await new Blob(chunks).arrayBuffer());
}
