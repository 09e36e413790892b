import { randomUUID } from "node:crypto";
import { closeSync, fstatSync, openSync, readSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A value for each stream to which a process prints. */
export interface OfStreams<Value> {
  readonly stdout: Value;
  readonly stderr: Value;
}

/** Takes what a process prints. It goes to files, because a process that ends at once loses what it wrote into a pipe. */
export class CapturedOutput {
  readonly #stdout = new CapturedStream();
  readonly #stderr = new CapturedStream();

  /** The file descriptors to which the process prints. */
  get descriptors(): OfStreams<number> {
    return { stdout: this.#stdout.descriptor, stderr: this.#stderr.descriptor };
  }

  /** How many bytes the process has printed. */
  get size(): number {
    return this.#stdout.size + this.#stderr.size;
  }

  /**
   * Returns what was printed since the last call.
   * @param until up to so many bytes of the whole; by default, up to the end
   */
  read(until?: OfStreams<number>): OfStreams<string> {
    return { stdout: this.#stdout.read(until?.stdout), stderr: this.#stderr.read(until?.stderr) };
  }

  close(): void {
    this.#stdout.close();
    this.#stderr.close();
  }
}

/** Returns how many bytes this process has printed, where it prints to files. */
export function printedSizes(): OfStreams<number> {
  return { stdout: sizeOf(1), stderr: sizeOf(2) };
}

function sizeOf(descriptor: number): number {
  try {
    return fstatSync(descriptor).size;
  } catch {
    // The process has closed it, so nothing follows.
    return Number.MAX_SAFE_INTEGER;
  }
}

class CapturedStream {
  /** Of a file without a name, which is gone once all have closed it. */
  readonly descriptor: number;
  #read = 0;

  constructor() {
    const path = join(tmpdir(), `centavo-${randomUUID()}`);
    this.descriptor = openSync(path, "wx+", 0o600);
    rmSync(path);
  }

  get size(): number {
    return fstatSync(this.descriptor).size;
  }

  read(until = Infinity): string {
    const bytes = Buffer.alloc(Math.max(0, Math.min(until, this.size) - this.#read));
    const count = readSync(this.descriptor, bytes, 0, bytes.length, this.#read);
    this.#read += count;
    return bytes.toString("utf8", 0, count);
  }

  close(): void {
    closeSync(this.descriptor);
  }
}
