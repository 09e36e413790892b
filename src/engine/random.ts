import { sha256 } from "@noble/hashes/sha2.js";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import type { UndoLog } from "./undo-log.ts";

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE_62_CODES = Array.from(BASE_62, (character) => character.charCodeAt(0));

interface Stream {
  generator: RandomGenerator;
  recordedIn: number;
}

/**
 * Seeded chance. Each consumer draws from its own named stream, derived from the seed and the name alone,
 * so that one more consumer, or one more draw elsewhere, changes nothing for the others.
 */
export class RandomStreams {
  readonly #log: UndoLog;
  readonly #seed: string;
  readonly #streams = new Map<string, Stream>();

  constructor(log: UndoLog, seed: string) {
    this.#log = log;
    this.#seed = seed;
  }

  /** A whole number from 0 up to, not including, `bound`. */
  below(stream: string, bound: number): number {
    return uniformInt(this.#draw(stream), 0, bound - 1);
  }

  /** `length` characters of 0-9, A-Z, a-z. */
  base62(stream: string, length: number): string {
    const generator = this.#draw(stream);
    const codes = new Array<number>(length);
    for (let index = 0; index < length; index += 1) codes[index] = BASE_62_CODES[uniformInt(generator, 0, 61)] as number;
    // One call, because strings grown with += stay ropes and double the memory of a million ids.
    return String.fromCharCode(...codes);
  }

  bytes(stream: string, length: number): Uint8Array {
    const generator = this.#draw(stream);
    return Uint8Array.from({ length }, () => uniformInt(generator, 0, 255));
  }

  /** A version 4 UUID (RFC 9562). */
  uuid(stream: string): string {
    const bytes = this.bytes(stream, 16);
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
    return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20)}`;
  }

  snapshot(): Record<string, readonly number[]> {
    return Object.fromEntries([...this.#streams].map(([name, { generator }]) => [name, generator.getState()]));
  }

  restore(states: Readonly<Record<string, readonly number[]>>): void {
    this.#streams.clear();
    for (const [name, state] of Object.entries(states)) {
      this.#streams.set(name, { generator: xoroshiro128plusFromState(state), recordedIn: 0 });
    }
  }

  #draw(name: string): RandomGenerator {
    const known = this.#streams.get(name);
    const stream = known ?? { generator: xoroshiro128plusFromState(this.#seedOf(name)), recordedIn: 0 };
    if (known === undefined) this.#streams.set(name, stream);
    if (stream.recordedIn !== this.#log.unit) {
      const before = stream.generator.clone();
      stream.recordedIn = this.#log.unit;
      this.#log.record(() => {
        if (known === undefined) this.#streams.delete(name);
        else stream.generator = before;
      });
    }
    return stream.generator;
  }

  #seedOf(name: string): number[] {
    const digest = sha256(new TextEncoder().encode(JSON.stringify([this.#seed, name])));
    const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    return [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)];
  }
}
