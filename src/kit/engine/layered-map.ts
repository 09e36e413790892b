/** What was written since the layer below was shared. */
interface Layer<Value> {
  readonly below: Layer<Value> | undefined;
  /** The members that no layer below has, in order. */
  readonly added: Map<string, Value>;
  /** What became of members of the layers below: their new value, or null if they were deleted. */
  readonly changed: Map<string, Value | null>;
  /** How many members of the layers below are left. */
  left: number;
}

/** Of a layer that has none below. */
const UNCHANGED = new Map<string, never>();

/**
 * A map in the order of insertion, of which `fork` makes a copy in constant time. Copies share what is old, in layers that nobody writes
 * to any more, and each writes to a layer of its own. A map that was never copied is a bare `Map`.
 *
 * As in a `Map`, a loop sees what it adds; but once the map is copied, a loop that began before sees no more changes. Neither undefined nor
 * null can be a value.
 */
export class LayeredMap<Value> {
  #top: Layer<Value>;

  constructor(below?: Layer<Value>) {
    this.#top = layerOn(below);
  }

  get size(): number {
    const { added, left } = this.#top;
    return added.size + left;
  }

  get(key: string): Value | undefined {
    let layer = this.#top;
    for (;;) {
      const value = layer.added.get(key);
      if (value !== undefined || layer.below === undefined) return value;
      const changed = layer.changed.get(key);
      if (changed !== undefined) return changed ?? undefined;
      layer = layer.below;
    }
  }

  set(key: string, value: Value): void {
    const { added, changed, below } = this.#top;
    const isBelow = below !== undefined && !added.has(key) && this.get(key) !== undefined;
    if (isBelow) changed.set(key, value);
    else added.set(key, value);
  }

  /** Replaces a value by one that equals it, such as its written form. Copies get it too. */
  rewrite(key: string, value: Value): void {
    let layer: Layer<Value> | undefined = this.#top;
    while (layer !== undefined && !layer.added.has(key) && !layer.changed.has(key)) layer = layer.below;
    (layer?.added.has(key) === true ? layer.added : layer?.changed)?.set(key, value);
  }

  delete(key: string): void {
    const top = this.#top;
    if (top.added.delete(key) || top.below === undefined || this.get(key) === undefined) return;
    top.changed.set(key, null);
    top.left -= 1;
  }

  keys(): IterableIterator<string> {
    return this.#top.below === undefined ? this.#top.added.keys() : this.#members((key) => key);
  }

  values(): IterableIterator<Value> {
    return this.#top.below === undefined ? this.#top.added.values() : this.#members((_, value) => value);
  }

  [Symbol.iterator](): IterableIterator<[string, Value]> {
    return this.#top.below === undefined ? this.#top.added.entries() : this.#members((key, value) => [key, value]);
  }

  /** Returns a copy. Its cost does not grow with the map, but with what was written since the last copy. */
  fork(): LayeredMap<Value> {
    if (weightOf(this.#top) > 0) this.#top = layerOn(settled(this.#top));
    return new LayeredMap(this.#top.below);
  }

  *#members<Member>(memberOf: (key: string, value: Value) => Member): IterableIterator<Member> {
    const above: Layer<Value>[] = [];
    for (let layer: Layer<Value> | undefined = this.#top; layer !== undefined; layer = layer.below)
      above.unshift(layer);
    for (;;) {
      const layer = above.shift();
      if (layer === undefined) return;
      for (const [key, value] of layer.added) {
        const last = lastOf(key, value, above);
        if (last !== null) yield memberOf(key, last);
      }
    }
  }
}

function layerOn<Value>(below: Layer<Value> | undefined): Layer<Value> {
  return below === undefined
    ? { below, added: new Map(), changed: UNCHANGED, left: 0 }
    : { below, added: new Map(), changed: new Map(), left: below.added.size + below.left };
}

/** Returns what the layers above make of a value: null once one deletes it. */
function lastOf<Value>(key: string, value: Value, above: readonly Layer<Value>[]): Value | null {
  let last = value;
  for (const { changed } of above) {
    const now = changed.get(key);
    if (now === null) return null;
    last = now ?? last;
  }
  return last;
}

/**
 * Merges a layer with those below it that are not much larger. So each layer is at least twice as large as the next, a look-up passes few
 * of them, and each member is copied a few times in all, however often the map is copied.
 */
function settled<Value>(layer: Layer<Value>): Layer<Value> {
  const { below } = layer;
  if (below === undefined || weightOf(below) > 2 * weightOf(layer)) return layer;
  const added = new Map(below.added);
  const changed = new Map(below.changed);
  for (const [key, value] of layer.changed) {
    if (!added.has(key)) changed.set(key, value);
    else if (value === null) added.delete(key);
    else added.set(key, value);
  }
  for (const [key, value] of layer.added) added.set(key, value);
  return settled({ below: below.below, added, changed, left: layer.added.size + layer.left - added.size });
}

function weightOf<Value>({ added, changed }: Layer<Value>): number {
  return added.size + changed.size;
}
