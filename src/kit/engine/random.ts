import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, utf8ToBytes } from "@noble/hashes/utils.js";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { toBase64 } from "../base/runtime/base64.ts";
import { CentavoError } from "../base/errors/centavo-error.ts";
import type { UndoLog } from "./undo-log.ts";

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

interface Stream {
  generator: RandomGenerator;
  recordedIn: number;
}

/**
 * Seeded randomness. Each consumer draws from its own stream, derived from the seed and the stream's name. So adding a consumer or a draw
 * elsewhere changes nothing for the others.
 */
export class RandomStreams {
  readonly #log: UndoLog;
  #seed: string;
  readonly #streams = new Map<string, Stream>();

  constructor(log: UndoLog, seed: string) {
    this.#log = log;
    this.#seed = seed;
  }

  get seed(): string {
    return this.#seed;
  }

  /** Returns a whole number from 0 up to, not including, `bound`. */
  below(stream: string, bound: number): number {
    if (!Number.isSafeInteger(bound) || bound < 1) {
      throw new CentavoError(
        "MACHINE_DEFECT",
        `The stream "${stream}" was asked for a whole number below ${bound}; the bound is a whole number of at least 1.`,
      );
    }
    return uniformInt(this.#draw(stream), 0, bound - 1);
  }

  /** Returns `length` characters of 0-9, A-Z and a-z after a prefix such as `ch_`. */
  base62(stream: string, length: number, prefix = ""): string {
    const generator = this.#draw(stream);
    const codes: number[] = [];
    for (let count = 0; count < length; count += 1) codes.push(BASE_62.charCodeAt(uniformInt(generator, 0, 61)));
    return prefix + String.fromCharCode(...codes);
  }

  /** Returns an id that says at its end that it is fake: a prefix such as `ch`, 20 random characters and `Fake`. */
  id(prefix: string, stream = `id/${prefix}`): string {
    return `${this.base62(stream, 20, `${prefix}_`)}Fake`;
  }

  bytes(stream: string, length: number): Uint8Array {
    const generator = this.#draw(stream);
    return new Uint8Array(length).map(() => uniformInt(generator, 0, 255));
  }

  /** Returns 32 bytes as `whsec_` and base64. The text of the first six says that they are fake. */
  webhookSecret(stream: string): string {
    return `whsec_FakeFake${toBase64(this.bytes(stream, 26))}`;
  }

  /** Returns a version 4 UUID (RFC 9562). */
  uuid(stream: string): string {
    const bytes = this.bytes(stream, 16);
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    const hex = bytesToHex(bytes);
    return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
  }

  snapshot(): Record<string, readonly number[]> {
    return Object.fromEntries([...this.#streams].map(([name, { generator }]) => [name, generator.getState()]));
  }

  /** Takes the seed as well, because unused streams have no state yet. */
  restore(seed: string, states: Readonly<Record<string, readonly number[]>>): void {
    this.#seed = seed;
    this.#streams.clear();
    for (const [name, state] of Object.entries(states)) {
      this.#streams.set(name, { generator: xoroshiro128plusFromState(state), recordedIn: 0 });
    }
  }

  #draw(name: string): RandomGenerator {
    let stream = this.#streams.get(name);
    if (stream !== undefined && stream.recordedIn === this.#log.unit) return stream.generator;
    if (stream === undefined) {
      this.#log.record(() => this.#streams.delete(name));
      stream = { generator: xoroshiro128plusFromState(this.#seedOf(name)), recordedIn: this.#log.unit };
      this.#streams.set(name, stream);
      return stream.generator;
    }
    const drawn = stream;
    const before = stream.generator.clone();
    this.#log.record(() => {
      drawn.generator = before;
    });
    stream.recordedIn = this.#log.unit;
    return stream.generator;
  }

  #seedOf(name: string): readonly number[] {
    const digest = sha256(utf8ToBytes(JSON.stringify([this.#seed, name])));
    const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    return [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)];
  }
}
