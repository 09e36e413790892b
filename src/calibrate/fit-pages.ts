import { valueIn } from "../kit/http/route-path.ts";
import { pagePaths, pagePathsUnder } from "../service/wire/paths.ts";
import type { Evidence } from "./evidence.ts";
import { isRecord } from "./differences.ts";
import type { Names } from "./names.ts";
import type { Search } from "./search.ts";
import { rows } from "./slots.ts";
import { isBelow, pathBelow } from "./steps.ts";
import { BASE_URL } from "./world.ts";

type Page = keyof typeof pagePaths;

/** What an exchange says of the path of a customer's page. */
interface Told {
  readonly page: Page;
  readonly path: string;
  readonly source: string;
}

const row = rows.find(({ id }) => id === "checkout.url");

/** Takes the paths of the customer's pages from the addresses that the real service gave. Returns the exchanges that have them. */
export async function fitPages(search: Search): Promise<Evidence> {
  if (row === undefined) return new Map();
  const told = search.played.compared.flatMap(({ step, sent, sides }) =>
    toldIn(sent?.document, step.document, sides.names, search).map((each) =>
      Object.assign({ source: step.exchange.source }, each),
    ),
  );
  for (const [page, each] of Map.groupBy(told, (one) => one.page)) {
    const byPath = Map.groupBy(each, ({ path }) => path);
    const [most] = [...byPath].toSorted(([, left], [, right]) => right.length - left.length);
    if (most === undefined) continue;
    if (byPath.size > 1)
      search.disagree({
        id: row.id,
        key: page,
        values: [...byPath].map(([value, by]) => ({ value, sources: by.map(({ source }) => source) })),
      });
    const [path] = most;
    if (path === pagePathsUnder(search.values)[page]) continue;
    const value = { ...(search.valueOf(row) as object), [page]: path };
    if (!row.schema.safeParse(value).success) continue;
    const values = { ...search.values, [row.id]: value };
    const played = await search.try(values);
    if (played.weight <= search.weight) search.accept(values, played);
  }
  return new Map(told.length === 0 ? [] : [[row.id, told.map(({ source }) => source)]]);
}

/** Finds the addresses of pages in a document of the world, and what the recorded one has in their place. */
function toldIn(own: unknown, recorded: unknown, names: Names, search: Search): readonly Omit<Told, "source">[] {
  if (typeof own === "string" && typeof recorded === "string") return toldBy(own, recorded, names, search);
  if (Array.isArray(own) && Array.isArray(recorded))
    return own.flatMap((item, index) => toldIn(item, recorded[index], names, search));
  if (!isRecord(own) || !isRecord(recorded)) return [];
  return Object.entries(own).flatMap(([name, part]) =>
    Object.hasOwn(recorded, name) ? toldIn(part, recorded[name], names, search) : [],
  );
}

function toldBy(
  own: string,
  recorded: string,
  names: Names,
  { values, addresses }: Search,
): readonly Omit<Told, "source">[] {
  if (!own.startsWith(`${BASE_URL}/`) || !/^https?:\/\//.test(recorded) || !URL.canParse(recorded)) return [];
  const address = addresses.find((each) => isBelow(recorded, each)) ?? new URL(recorded).origin;
  const path = pathBelow(address, recorded);
  if (path.includes("?")) return [];
  return Object.entries(pagePathsUnder(values)).flatMap(([page, inForce]) => {
    const id = valueIn(inForce, own.slice(BASE_URL.length));
    if (id === undefined) return [];
    const segments = path.split("/");
    // The id of a challenge stands nowhere else. It is the only part of the path that looks like one.
    const known = segments.findIndex((segment) => names.worldOf(segment) === id);
    const looking = segments.flatMap((segment, index) => (/\d/.test(segment) && segment.length >= 10 ? [index] : []));
    const place = known >= 0 ? known : looking.length === 1 ? looking[0] : undefined;
    if (place === undefined) return [];
    const variable = /\{\w+\}/.exec(pagePaths[page as Page])?.[0] ?? "";
    return [{ page: page as Page, path: segments.with(place, variable).join("/") }];
  });
}
