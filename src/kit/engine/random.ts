import { sha256 } from "@noble/hashes/sha2.js";
import { uniformInt } from "pure-rand/distribution/uniformInt";
import { xoroshiro128plusFromState } from "pure-rand/generator/xoroshiro128plus";
import type { RandomGenerator } from "pure-rand/types/RandomGenerator";
import { CentavoError } from "../base/errors/centavo-error.ts";
import { keepNewest } from "./newest.ts";
import { UndoLog } from "./undo-log.ts";

const BASE_62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const BASE_62_CODES = Array.from(BASE_62, (character) => character.charCodeAt(0));
const HEX_CODES = Array.from("0123456789abcdef", (character) => character.charCodeAt(0));
const encoder = new TextEncoder();
const HYPHEN = "-".charCodeAt(0);

/** The states in which streams begin, by seed and name. Tests mostly share a seed, and to hash them is a quarter of a simulator's beginning. */
const beginnings = new Map<string, readonly number[]>();
const MOST_BEGINNINGS = 200;

interface Stream {
  generator: RandomGenerator;
  recordedIn: number;
}

/**
 * Seeded randomness. Each consumer draws from its own stream, derived from the seed and the stream's name. One more consumer, or
 * one more draw elsewhere, changes nothing for the others.
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
    for (let index = 0; index < prefix.length; index += 1) codes.push(prefix.charCodeAt(index));
    for (let index = 0; index < length; index += 1) codes.push(BASE_62_CODES[uniformInt(generator, 0, 61)] as number);
    // One call: concatenated strings stay ropes, which double the memory of a million ids and are slow as keys.
    return String.fromCharCode(...codes);
  }

  bytes(stream: string, length: number): Uint8Array {
    const generator = this.#draw(stream);
    const bytes = new Uint8Array(length);
    for (let index = 0; index < length; index += 1) bytes[index] = uniformInt(generator, 0, 255);
    return bytes;
  }

  /** Returns a version 4 UUID (RFC 9562). */
  uuid(stream: string): string {
    const bytes = this.bytes(stream, 16);
    bytes[6] = ((bytes[6] as number) & 0x0f) | 0x40;
    bytes[8] = ((bytes[8] as number) & 0x3f) | 0x80;
    const codes: number[] = [];
    for (let index = 0; index < bytes.length; index += 1) {
      const byte = bytes[index] as number;
      if (index === 4 || index === 6 || index === 8 || index === 10) codes.push(HYPHEN);
      codes.push(HEX_CODES[byte >>> 4] as number, HEX_CODES[byte & 15] as number);
    }
    return String.fromCharCode(...codes);
  }

  /** Returns what a draw would give, without drawing it. */
  preview<Drawn>(draw: (random: RandomStreams) => Drawn): Drawn {
    const log = new UndoLog();
    const copy = new RandomStreams(log, this.#seed);
    copy.restore(this.#seed, this.snapshot());
    return log.run(() => draw(copy));
  }

  snapshot(): Record<string, readonly number[]> {
    return Object.fromEntries([...this.#streams].map(([name, { generator }]) => [name, generator.getState()]));
  }

  /** Takes the seed as well, because an unused stream has no state yet. */
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
    const text = JSON.stringify([this.#seed, name]);
    const known = beginnings.get(text);
    if (known !== undefined) return known;
    const digest = sha256(encoder.encode(text));
    const view = new DataView(digest.buffer, digest.byteOffset, digest.byteLength);
    const state = [view.getInt32(0), view.getInt32(4), view.getInt32(8), view.getInt32(12)];
    keepNewest(beginnings.set(text, state), MOST_BEGINNINGS);
    return state;
  }
}
