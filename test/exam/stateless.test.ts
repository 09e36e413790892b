import { DatabaseSync } from "node:sqlite";
import { exam } from "centavo/exam";
import type { ExamOptions, Opening, StoreAdapter, Verdict } from "centavo/exam";
import { beforeAll, expect, test } from "vitest";
import { joinDigests } from "../../src/exam/stories-digest.ts";
import { examOfClub, openSmallClub } from "./small-club.ts";
import type { Member, Members } from "./small-club.ts";

const STARTS_AGAIN = "The merchant's program starts again, as after a deployment.";

const { join, leave } = examOfClub().acts;
/** The club, of which members only join and leave. The stories from the 110th on are about what comes after the first step. */
const rightClub: ExamOptions<Members> = {
  ...examOfClub(),
  acts: { ...(join && { join }), ...(leave && { leave }) },
  budget: { stories: 118 },
};

/** A club that keeps all in its store, and takes any answer to a cancellation for a yes. */
const hasty: ExamOptions<Members> = {
  ...rightClub,
  open: (opening) => openSmallClub({ ...opening, fetch: hastyFetch(opening) }),
};

function hastyFetch<Store>({ fetch }: Opening<Store>): typeof globalThis.fetch {
  return async (input, init) => {
    const answer = await fetch(input, init);
    return init?.method === "DELETE" ? Response.json({ success: true, data: {} }) : answer;
  };
}

/** The verdict on the hasty club as a stateless one, which several tests need. */
let verdict: Verdict;
beforeAll(async () => {
  verdict = await exam({ ...hasty, stateless: true });
});

const lawsOf = ({ failures }: Verdict): readonly string[] => failures.map(({ law }) => law);

test("a merchant that is right passes with stories that begin in the middle, too", async () => {
  const [whole, stateless] = [await exam(rightClub), await exam({ ...rightClub, stateless: true })];
  expect([whole.passed, stateless.passed]).toEqual([true, true]);
  expect(stateless.stories).toBe(whole.stories);
  // The journal of a story that began in the middle is another.
  expect(stateless.digest).not.toBe(whole.digest);
});

test("what goes wrong in a late step is found in a story that begins right before it", async () => {
  const whole = await exam(hasty);
  expect(lawsOf(whole)).toEqual(["leaves-for-good"]);
  expect(lawsOf(verdict)).toEqual(["leaves-for-good"]);
  expect(whole.failures[0]?.story).not.toContain(STARTS_AGAIN);
  expect(verdict.failures[0]?.story).toEqual([
    "Ana joins as member-1 with pm_card_approved.",
    STARTS_AGAIN,
    "Ana leaves.",
    "The service answers the call subscription.cancel with 503.",
  ]);
});

test("each part of a search, and a replay, play the same stories as the whole search", async () => {
  const options = { ...hasty, stateless: true };
  const shards = [
    await exam({ ...options, shard: { index: 1, of: 2 } }),
    await exam({ ...options, shard: { index: 2, of: 2 } }),
  ] as const;
  expect(joinDigests(shards[0].digest, shards[1].digest)).toBe(verdict.digest);
  for (const { token, digest, what } of verdict.failures) {
    const again = await exam({ ...options, replay: token });
    expect(again.digest).toBe(digest);
    expect(again.failures.map((each) => each.what)).toContain(what);
  }
});

test("a story that is replayed in a merchant that was mended still begins in the middle", async () => {
  let starts = 0;
  const open = (opening: Opening<Members>) => {
    starts += 1;
    return openSmallClub(opening);
  };
  const mended = await exam({ ...hasty, open, stateless: true, replay: verdict.failures[0]?.token ?? "" });
  expect(mended.passed).toBe(true);
  // The flow without trouble, the story itself, and a start at each of the flow's four checkpoints to see that all is in the store.
  expect(starts).toBe(6);
});

/** Plays a part of a merchant's stories with the option and without it. */
async function digestsOf<Store>(options: ExamOptions<Store>): Promise<readonly [string, string]> {
  const part = { ...options, shard: { index: 1, of: 5 } };
  return [(await exam(part)).digest, (await exam({ ...part, stateless: true })).digest];
}

test("a program with a timer of its own is never at rest, so its stories are played whole", async () => {
  const open = (opening: Opening<Members>) => {
    setInterval(() => undefined, 3_600_000);
    return openSmallClub(opening);
  };
  const [whole, stateless] = await digestsOf({ ...rightClub, open });
  expect(stateless).toBe(whole);
});

test("a time limit that has nothing to abort any more does not count as a timer", async () => {
  const open = (opening: Opening<Members>) => {
    AbortSignal.timeout(100 * 86_400_000);
    opening.timeout("100 days");
    return openSmallClub(opening);
  };
  const [whole, stateless] = await digestsOf({ ...rightClub, open });
  expect(stateless).not.toBe(whole);
});

test("a program that believes something else once it starts again is played whole", async () => {
  let inMemory: Members = new Map();
  const [whole, stateless] = await digestsOf({
    ...rightClub,
    open: (opening) => openSmallClub({ ...opening, store: (inMemory = new Map<string, Member>()) }),
    books: (context) => examOfClub().books({ ...context, store: inMemory }),
  });
  expect(stateless).toBe(whole);
});

test("a store that holds what cannot be copied is played whole", async () => {
  class Ledger {
    readonly #members: Members = new Map();
    get members(): Members {
      return this.#members;
    }
  }
  const ledgerIn = (store: Map<string, unknown>): Members => {
    if (!store.has("ledger")) store.set("ledger", new Ledger());
    return (store.get("ledger") as Ledger).members;
  };
  const { books, ...club } = rightClub;
  const [whole, stateless] = await digestsOf<Map<string, unknown>>({
    ...club,
    open: (opening) => openSmallClub({ ...opening, store: ledgerIn(opening.store) }),
    books: ({ store, ...context }) => books({ ...context, store: ledgerIn(store) }),
  });
  expect(stateless).toBe(whole);
});

/** Members as rows of JSON. */
const sqlite: StoreAdapter<DatabaseSync> = {
  open: () => {
    const database = new DatabaseSync(":memory:");
    database.exec("create table members (id text primary key, member text not null)");
    return database;
  },
  isWrite: ({ on }) => String(on?.parameters[0]).startsWith("insert"),
  close: (database) => database.close(),
};

const inDatabase: ExamOptions<DatabaseSync> = {
  ...rightClub,
  store: sqlite,
  open: (opening) => {
    const { store } = opening;
    const members: Members = new Map(membersIn(store).map((member) => [member.id, member]));
    const app = openSmallClub({ ...opening, store: members });
    return async (request: Request) => {
      const answer = await app(request);
      const insert = store.prepare("insert or replace into members values (?, ?)");
      for (const member of members.values()) insert.run(member.id, JSON.stringify(member));
      return answer;
    };
  },
  books: ({ store, ...context }) =>
    examOfClub().books({ ...context, store: new Map(membersIn(store).map((member) => [member.id, member])) }),
};

function membersIn(database: DatabaseSync): Member[] {
  return database
    .prepare("select member from members")
    .all()
    .map(({ member }) => JSON.parse(String(member)) as Member);
}

test("a database is kept and put back where its adapter says how, and played whole where not", async () => {
  const [whole, stateless] = await digestsOf(inDatabase);
  expect(stateless).toBe(whole);
  const store: StoreAdapter<DatabaseSync> = {
    ...sqlite,
    keep: (database) => database.prepare("select id, member from members").all(),
    putBack: (database, rows) => {
      database.exec("delete from members");
      const insert = database.prepare("insert into members values (?, ?)");
      for (const { id, member } of rows as { id: string; member: string }[]) insert.run(id, member);
    },
  };
  const kept = await digestsOf({ ...inDatabase, store });
  expect(kept[0]).toBe(whole);
  expect(kept[1]).not.toBe(whole);
});
