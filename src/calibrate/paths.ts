import { routesIn } from "../kit/declaration/define-service.ts";
import { VARIABLE, variablesOf } from "../kit/http/route-path.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { rerouting } from "../service/rerouting.ts";
import { paymentService } from "../service/service.ts";
import { authPaths, pathsOfDocument, SESSION_PATH } from "../service/wire/paths.ts";
import { rows } from "./slots.ts";
import type { Row } from "./slots.ts";
import type { Values } from "./values.ts";

/** Where a row holds the path of an operation. */
export interface PathPlace {
  readonly row: Row;
  /** The member of the row's value; undefined where the value is the path. */
  readonly member: string | undefined;
  readonly operation: string;
  readonly method: string;
  /** The path that the document or Centavo gives. */
  readonly declared: string;
}

/** A path in segments, in which `*` stands for a variable. */
export type Pattern = readonly string[];

const ANY = "*";
const routes = routesIn(paymentService);

/** Every operation that a row gives another path. */
export const pathPlaces: readonly PathPlace[] = rows.flatMap((row): PathPlace[] => {
  if (row.id === "http.endpoints") return placesOf(row, pathsOfDocument, methodOf);
  if (row.id === "auth.paths") return placesOf(row, authPaths, (name) => (name === "keys" ? "GET" : "POST"));
  if (row.id !== "subscription.session") return [];
  return [{ row, member: undefined, operation: row.id, method: methodOf(row.id), declared: SESSION_PATH }];
});

function placesOf(
  row: Row,
  paths: Readonly<Record<string, string>>,
  methodOfPlace: (name: string) => string,
): PathPlace[] {
  return Object.entries(paths).map(([name, declared]) => ({
    row,
    member: name,
    operation: name,
    method: methodOfPlace(name),
    declared,
  }));
}

function methodOf(operation: string): string {
  return routes.find(({ name }) => name === operation)?.method ?? "GET";
}

/** Returns what a row says of the path of an operation; undefined where it leaves it as it is. */
function pathAt({ row, member, declared }: PathPlace, values: Values): string {
  const value = values[row.id] ?? row.value;
  const path = member === undefined ? value : (value as Readonly<Record<string, unknown>>)[member];
  return typeof path === "string" ? path : declared;
}

/** Returns values under which an operation has another path. An operation that has this path already gets the other's. */
export function withPath(values: Values, place: PathPlace, pattern: Pattern): Values {
  const isSamePath = (other: PathPlace): boolean =>
    other !== place &&
    other.method === place.method &&
    patternText(patternOf(pathAt(other, values))) === patternText(pattern);
  const inTheWay = pathPlaces.find(isSamePath);
  const moved = moveTo(values, place, pattern);
  return inTheWay === undefined ? moved : moveTo(moved, inTheWay, patternOf(pathAt(place, values)));
}

function moveTo(values: Values, { row, member, declared }: PathPlace, pattern: Pattern): Values {
  const [variable = ""] = variablesOf(declared);
  const path = `/${pattern.map((segment) => (segment === ANY ? `{${variable}}` : segment)).join("/")}`;
  if (member === undefined) return { ...values, [row.id]: path };
  return { ...values, [row.id]: { ...((values[row.id] ?? row.value) as object), [member]: path } };
}

/** Returns the pattern of a path. */
export function patternOf(path: string, isVariable: (segment: string) => boolean = () => false): Pattern {
  return path
    .replaceAll(VARIABLE, ANY)
    .slice(1)
    .split("/")
    .map((segment) => (isVariable(segment) ? ANY : segment));
}

/** Writes a pattern, by which two can be compared. */
export function patternText(pattern: Pattern): string {
  return pattern.join("/");
}

/** How many variables a pattern has. */
export function variablesIn(pattern: Pattern): number {
  return pattern.filter((segment) => segment === ANY).length;
}

/** Returns the routes in force, with their paths in segments. */
export function routesUnder(values: Values): readonly { readonly method: string; readonly segments: Pattern }[] {
  return routes.flatMap((route) =>
    rerouting
      .routesOf(route, values as AssumptionOverrides)
      .map(({ method, path }) => ({ method, segments: patternOf(path) })),
  );
}

/** Whether the last segments of a path are those of a route. */
export function isEndOf(route: Pattern, segments: readonly string[]): boolean {
  const start = segments.length - route.length;
  return start >= 0 && route.every((segment, index) => segment === ANY || segment === segments[start + index]);
}
