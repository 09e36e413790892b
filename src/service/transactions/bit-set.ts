/** A set of positions, one bit each, so that sets of a million are intersected in microseconds. */
export class BitSet {
  #words = new Uint32Array(4);

  add(position: number): void {
    const word = position >>> 5;
    if (word >= this.#words.length) this.#grow(word);
    this.#words[word] = (this.#words[word] as number) | (1 << (position & 31));
  }

  delete(position: number): void {
    const word = position >>> 5;
    if (word < this.#words.length) this.#words[word] = (this.#words[word] as number) & ~(1 << (position & 31));
  }

  /** Returns the 32 positions from `32 * word` on, with the lowest position in the lowest bit. */
  word(word: number): number {
    return this.#words[word] ?? 0;
  }

  #grow(word: number): void {
    const words = new Uint32Array(Math.max(word + 1, this.#words.length * 2));
    words.set(this.#words);
    this.#words = words;
  }
}

/** Returns the number of bits that are set. */
export function countBits(word: number): number {
  let pairs = word - ((word >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((pairs + (pairs >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}
