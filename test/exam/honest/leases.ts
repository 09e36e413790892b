import { DatabaseSync } from "node:sqlite";

/** A member of the club. Columns that nobody knows yet are null. */
export interface Member {
  readonly id: string;
  /** Which of the member's subscriptions counts: a new one begins after the last has ended. */
  readonly round: number;
  readonly subscription: string | null;
  readonly status: string;
  /** When the service says that it was so. */
  readonly asOf: string;
  readonly plan: string;
  readonly paidUntil: string | null;
  readonly leaves: number;
}

/** How long an instance may work on a member before another may, in milliseconds: longer than its calls take. */
const LEASE = 5 * 60_000;

/** The tables that all instances of the club share. Every change is one conditional statement, so that none overwrites another's. */
export class Leases {
  readonly #database = new DatabaseSync(":memory:");

  constructor() {
    this.#database.exec(`
      create table members (id text primary key, round integer default 1, subscription text unique, status text default 'new', asOf text default '',
        plan text, paidUntil text, leaves integer default 0, holder integer, heldUntil integer default 0, isStale integer default 1);
      create table plans (name text primary key, id text);
      create table instances (id integer primary key autoincrement);`);
  }

  /** Returns the number of an instance that has just started. */
  enterInstance(): number {
    return Number(this.#database.prepare("insert into instances default values").run().lastInsertRowid);
  }

  members(): Member[] {
    return this.#database.prepare("select * from members order by id").all() as unknown as Member[];
  }

  member(id: string): Member | undefined {
    return this.members().find((member) => member.id === id);
  }

  setEnrolled(id: string, plan: string): void {
    this.#database.prepare("insert into members (id, plan) values (?, ?) on conflict do nothing").run(id, plan);
  }

  /** Says that something is new about a subscription, or about the member whose first subscription it is. */
  setNews(subscription: string, key: string): void {
    const isMeant = "subscription = ? or subscription is null and id || '-' || round = ?";
    this.#database
      .prepare(`update members set isStale = 1, subscription = coalesce(subscription, ?) where ${isMeant}`)
      .run(subscription, subscription, key);
  }

  isStale(id: string): boolean {
    return this.#database.prepare("select 1 from members where id = ? and isStale = 1").get(id) !== undefined;
  }

  setStale(id: string): void {
    this.#database.prepare("update members set isStale = 1 where id = ?").run(id);
  }

  /** Takes the lease of a member, unless another instance has it. It ends by itself, because an instance may end before it gives it back. */
  setHeld(id: string, instance: number, moment: number): boolean {
    const sql =
      "update members set holder = ?, heldUntil = ?, isStale = 0 where id = ? and (holder is null or heldUntil <= ?)";
    return this.#database.prepare(sql).run(instance, moment + LEASE, id, moment).changes === 1;
  }

  /** Gives a lease back, if it is still this instance's. */
  setFree(id: string, instance: number): void {
    this.#database.prepare("update members set holder = null where id = ? and holder = ?").run(id, instance);
  }

  setWish(id: string, leaves: 0 | 1): void {
    this.#database.prepare("update members set leaves = ? where id = ?").run(leaves, id);
  }

  /** Begins another round, once, after the subscription of the last has ended. */
  setNextRound({ id, round }: Member, plan: string): void {
    const sql =
      "update members set round = round + 1, subscription = null, status = 'new', asOf = '', plan = ?, leaves = 0 where id = ? and round = ?";
    this.#database.prepare(sql).run(plan, id, round);
  }

  setSubscription({ id, round }: Member, subscription: string): void {
    const sql = "update members set subscription = ? where id = ? and round = ? and subscription is null";
    this.#database.prepare(sql).run(subscription, id, round);
  }

  /** Notes what was read, unless something newer is known. */
  setRead(subscription: string, read: Pick<Member, "status" | "asOf" | "plan" | "paidUntil">): void {
    const { status, asOf, plan, paidUntil } = read;
    const sql =
      "update members set status = ?, asOf = ?, plan = ?, paidUntil = coalesce(?, paidUntil) where subscription = ? and asOf <= ?";
    this.#database.prepare(sql).run(status, asOf, plan, paidUntil, subscription, asOf);
  }

  planId(name: string): string | undefined {
    return this.#database.prepare("select id from plans where name = ?").get(name)?.["id"] as string | undefined;
  }

  setPlan(name: string, id: string): void {
    this.#database.prepare("insert or replace into plans values (?, ?)").run(name, id);
  }
}
