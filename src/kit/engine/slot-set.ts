/** A list may be this long, or a 64th of the largest slot if that is more: then it takes no more memory than bits. */
const LONGEST_LIST = 32;

/** A set of slots: a sorted list while it is sparse, then one bit for each, so that sets of a million are intersected in microseconds. */
export class SlotSet {
  /** The slots in order; undefined once the set is dense. */
  list: number[] | undefined = [];
  /** 32 slots a word, the lowest in the lowest bit, once the set is dense. */
  words = new Uint32Array(0);

  has(slot: number): boolean {
    const { list, words } = this;
    return list === undefined
      ? (((words[slot >>> 5] ?? 0) >>> (slot & 31)) & 1) === 1
      : list[placeIn(list, slot)] === slot;
  }

  /** Adds a slot that is not in the set. */
  add(slot: number): void {
    const { list } = this;
    if (list === undefined) this.#setBit(slot);
    else {
      list.splice(
        lowerBound(list, (each) => each >= slot),
        0,
        slot,
      );
      if (list.length <= Math.max(LONGEST_LIST, (list.at(-1) as number) / 64)) return;
      this.list = undefined;
      for (const each of list) this.#setBit(each);
    }
  }

  /** Deletes a slot that is in the set. */
  delete(slot: number): void {
    const { list, words } = this;
    if (list === undefined) words[slot >>> 5] = (words[slot >>> 5] as number) & ~(1 << (slot & 31));
    else
      list.splice(
        lowerBound(list, (each) => each >= slot),
        1,
      );
  }

  #setBit(slot: number): void {
    const word = slot >>> 5;
    if (word >= this.words.length) {
      const words = new Uint32Array(Math.max(word + 1, this.words.length * 2));
      words.set(this.words);
      this.words = words;
    }
    this.words[word] = (this.words[word] as number) | (1 << (slot & 31));
  }
}

/** Returns the number of bits that are set. */
export function countBits(word: number): number {
  let pairs = word - ((word >>> 1) & 0x55555555);
  pairs = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return (((pairs + (pairs >>> 4)) & 0x0f0f0f0f) * 0x01010101) >>> 24;
}

/** Returns the first place in a list from which on `isReached` is true. */
export function lowerBound<Item>(list: readonly Item[], isReached: (item: Item) => boolean): number {
  let low = 0;
  let high = list.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isReached(list[middle] as Item)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function placeIn(list: readonly number[], slot: number): number {
  return lowerBound(list, (each) => each >= slot);
}
