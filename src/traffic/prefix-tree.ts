/** A text of the tree that another text has at some place. */
export interface FoundText {
  /** How many characters of the other text it takes. */
  readonly length: number;
  readonly value: string;
}

interface Node {
  /** The characters that lead from its parent to it. */
  label: string;
  children: Map<number, Node>;
  /** The value of the text that ends here. */
  ending: string | undefined;
  /** The value of a text that leads through here. */
  readonly passing: string;
}

/** So many characters of a text in the tree count as all of it. */
const TELLING_PART = 128;

/**
 * Finds texts at a place of another text, by their common beginnings (a radix tree). A text that is repeated in another makes many places
 * at which nearly all of it stands. To keep the work linear, a long part counts as the whole, and is passed over at once.
 */
export class PrefixTree {
  readonly #root: Node = { label: "", children: new Map(), ending: undefined, passing: "" };

  /** Adds a text that is not empty. */
  add(text: string, value: string): void {
    let node = this.#root;
    let at = 0;
    while (at < text.length) {
      const child = node.children.get(text.charCodeAt(at));
      if (child === undefined) {
        node.children.set(text.charCodeAt(at), leaf(text.slice(at), value));
        return;
      }
      const shared = sharedLength(child.label, text, at);
      if (shared < child.label.length) split(child, shared);
      node = child;
      at += shared;
    }
    node.ending ??= value;
  }

  /**
   * Returns the longest text that stands at this place.
   * @param counts whether a text of this length counts there
   */
  findAt(text: string, start: number, counts: (length: number) => boolean): FoundText | undefined {
    let node = this.#root;
    let at = start;
    let found: FoundText | undefined;
    for (;;) {
      const child = node.children.get(text.charCodeAt(at));
      if (child === undefined) break;
      const shared = sharedLength(child.label, text, at);
      at += shared;
      node = child;
      if (shared < child.label.length) break;
      if (child.ending !== undefined && counts(at - start)) found = { length: at - start, value: child.ending };
    }
    const length = at - start;
    return length - (found?.length ?? 0) >= TELLING_PART ? { length, value: node.passing } : found;
  }
}

function leaf(label: string, value: string): Node {
  return { label, children: new Map(), ending: value, passing: value };
}

/** Puts a node between a node and its parent, at which the texts of both go apart. */
function split(node: Node, length: number): void {
  const { label, children, ending, passing } = node;
  const below: Node = { label: label.slice(length), children, ending, passing };
  node.label = label.slice(0, length);
  node.children = new Map([[below.label.charCodeAt(0), below]]);
  node.ending = undefined;
}

/** How many characters of a label stand at a place of a text. */
function sharedLength(label: string, text: string, start: number): number {
  let length = 0;
  while (length < label.length && label.charCodeAt(length) === text.charCodeAt(start + length)) length += 1;
  return length;
}
