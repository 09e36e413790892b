import { DatabaseSync } from "node:sqlite";

/** A member of the club. */
export interface Member {
  readonly id: string;
  /** Which of the member's subscriptions counts: a new one begins after the last has ended. */
  readonly round: number;
  readonly subscription: string | null;
  readonly status: string;
  /** When the service says that the status began, so that an event that arrives late changes nothing. */
  readonly since: string;
  readonly plan: string;
  readonly paidUntil: string | null;
  /** 1 once the member has asked to leave, until the service has heard it. */
  readonly leaves: number;
}

/** The club's database. Each `save` is one transaction. */
export class Register {
  readonly #database = new DatabaseSync(":memory:");

  constructor() {
    this.#database.exec(
      "create table members (id text primary key, round, subscription, status, since, plan, paidUntil, leaves); create table plans (name text primary key, id)",
    );
  }

  members(): Member[] {
    return this.#database.prepare("select * from members order by id").all() as unknown as Member[];
  }

  member(id: string): Member | undefined {
    return this.members().find((member) => member.id === id);
  }

  /** Changes some columns of a member, or enrols a new one. */
  save(id: string, changes: Partial<Member>): Member {
    const added = { id, round: 1, subscription: null, status: "new", since: "", plan: "", paidUntil: null, leaves: 0 };
    const member: Member = { ...(this.member(id) ?? added), ...changes };
    const names = Object.keys(member);
    const sql = `insert or replace into members (${names.join()}) values (${names.map(() => "?").join()})`;
    this.#database.prepare(sql).run(...(Object.values(member) as (string | number | null)[]));
    return member;
  }

  planId(name: string): string | undefined {
    return this.#database.prepare("select id from plans where name = ?").get(name)?.["id"] as string | undefined;
  }

  savePlan(name: string, id: string): void {
    this.#database.prepare("insert or replace into plans values (?, ?)").run(name, id);
  }
}
