/** Blocks have a power of two of members, so that a shift and a mask of the index find the place of a member. */
const BITS = 12;
const MEMBERS_IN_A_BLOCK = 1 << BITS;

/**
 * A list that grows and shrinks at its end, in blocks. `fork` makes a copy that shares every full block, which nobody writes to any more;
 * so it costs one reference for four thousand members, and at most one block.
 */
export class BlockList<Member> {
  #blocks: Member[][] = [];
  #length = 0;

  constructor(members: Iterable<Member> = []) {
    for (const member of members) this.push(member);
  }

  get length(): number {
    return this.#length;
  }

  /** Returns the member at an index below the length. */
  at(index: number): Member {
    return (this.#blocks[index >> BITS] as Member[])[index & (MEMBERS_IN_A_BLOCK - 1)] as Member;
  }

  get last(): Member | undefined {
    return this.#blocks.at(-1)?.at(-1);
  }

  push(member: Member): void {
    const index = this.#length >> BITS;
    const block = this.#blocks[index];
    if (block === undefined) this.#blocks.push([member]);
    else block.push(member);
    this.#length += 1;
    // A block that has grown has room for more, which it will never need.
    if (block?.length === MEMBERS_IN_A_BLOCK) this.#blocks[index] = [...block];
  }

  /** Writes a member that equals the one there, such as its shorter form: copies get it too. */
  rewrite(index: number, member: Member): void {
    (this.#blocks[index >> BITS] as Member[])[index & (MEMBERS_IN_A_BLOCK - 1)] = member;
  }

  /** Drops the newest members, down to a length. */
  truncate(length: number): void {
    const rest = length & (MEMBERS_IN_A_BLOCK - 1);
    const cut = rest === 0 ? [] : [(this.#blocks[length >> BITS] as Member[]).slice(0, rest)];
    this.#blocks.splice(length >> BITS, Infinity, ...cut);
    this.#length = length;
  }

  /** Returns the members from an index on. */
  from(index: number): Member[] {
    const blocks = this.#blocks.slice(index >> BITS);
    return blocks.flat().slice(index & (MEMBERS_IN_A_BLOCK - 1));
  }

  fork(): BlockList<Member> {
    const copy = new BlockList<Member>();
    copy.#blocks = [...this.#blocks];
    copy.#length = this.#length;
    copy.truncate(this.#length);
    return copy;
  }
}
