import { CentavoError } from "../../kit/base/errors/centavo-error.ts";

/** A part of a route's path, written as a folder: `orders`, `[id]`, `[...slug]` or `[[...slug]]`. */
interface Segment {
  readonly kind: keyof typeof ORDER;
  /** The text of a static part, or the parameter of any other. */
  readonly name: string;
}

/** A file of route handlers and the path that it answers. */
export interface NextRoute {
  /** Relative to the app's folder. */
  readonly file: string;
  readonly segments: readonly Segment[];
}

/** The values of a route's dynamic parts in a path. */
export type NextParams = Record<string, string | string[]>;

/** Which part wins if several match. */
const ORDER = { static: 0, dynamic: 1, catchAll: 2, optionalCatchAll: 3 } as const;

/** Shows a part without its name, to compare routes. */
const SHAPES = { dynamic: "[]", catchAll: "[...]", optionalCatchAll: "[[...]]" } as const;

const ROUTE_FILE = /(?:^|\/)route\.(?:tsx?|jsx?|mjs)$/;
const PAGES_API_FILE = /^(api(?:\/.*)?)\.(?:tsx?|jsx?|mjs)$/;
/** Route groups and slots of parallel routes, which are not part of the path. */
const INVISIBLE = /^(?:\(.*\)|@.*)$/;
/** Private folders, and intercepting routes, which only pages have. */
const IGNORED = /^(?:_|\(\.{1,3}\)[^)]*$)/;

/**
 * Finds the routes among the files of an app, in the order in which to try them.
 * @throws {CentavoError} `INVALID_OPTION` for routes that Next refuses, because their paths are equal or invalid
 */
export function nextRoutes(files: readonly string[]): readonly NextRoute[] {
  const routes = files.flatMap((file) => {
    const folders = file.split("/").slice(0, -1);
    if (!ROUTE_FILE.test(file) || folders.some((folder) => IGNORED.test(folder))) return [];
    return [{ file, segments: folders.filter((folder) => !INVISIBLE.test(folder)).map(segmentOf) }];
  });
  refuseConflicts(routes);
  return routes.toSorted(inOrder);
}

/**
 * Finds the API routes among the files of a `pages` folder, in the order in which to try them.
 * @throws {CentavoError} `INVALID_OPTION` for routes that Next refuses, because their paths are equal or invalid
 */
export function pagesApiRoutes(files: readonly string[]): readonly NextRoute[] {
  const routes = files.flatMap((file) => {
    const [, path] = PAGES_API_FILE.exec(file) ?? [];
    if (path === undefined || file.endsWith(".d.ts")) return [];
    return [
      {
        file,
        segments: path
          .replace(/\/index$/, "")
          .split("/")
          .map(segmentOf),
      },
    ];
  });
  refuseConflicts(routes);
  return routes.toSorted(inOrder);
}

/** Where a request leads: to a route, or to the answer that Next gives without one. */
type Found =
  | { readonly file: string; readonly params: NextParams }
  | { readonly status: 308 | 400 | 404; readonly text: string; readonly headers: Readonly<Record<string, string>> };

/** Finds the first route for an address. Next redirects to the path that has slashes only between its parts. */
export function findRoute(routes: readonly NextRoute[], { pathname, search }: URL): Found {
  const path = pathname.replaceAll(/\/{2,}/g, "/").replace(/(.)\/$/, "$1");
  if (path !== pathname) return { status: 308, text: "", headers: { location: path + search } };
  let parts;
  try {
    parts = path === "/" ? [] : path.slice(1).split("/").map(decodeURIComponent);
  } catch {
    return { status: 400, text: "Bad Request", headers: {} };
  }
  for (const { file, segments } of routes) {
    const params = paramsOf(segments, parts);
    if (params !== undefined) return { file, params };
  }
  return { status: 404, text: "Not Found", headers: {} };
}

function segmentOf(folder: string): Segment {
  const [, optional, name] = /^\[(\[)?\.\.\.([^\]]+)\]\]?$/.exec(folder) ?? [];
  if (name !== undefined) return { kind: optional === undefined ? "catchAll" : "optionalCatchAll", name };
  const [, dynamic] = /^\[([^\]]+)\]$/.exec(folder) ?? [];
  if (dynamic !== undefined) return { kind: "dynamic", name: dynamic };
  // `%5F` begins a path with an underscore without making the folder private.
  return { kind: "static", name: folder.replace(/^%5F/i, "_") };
}

function paramsOf(segments: readonly Segment[], parts: readonly string[]): NextParams | undefined {
  const params: NextParams = {};
  for (const [index, { kind, name }] of segments.entries()) {
    if (kind === "catchAll" || kind === "optionalCatchAll") {
      const rest = parts.slice(index);
      if (rest.length > 0) params[name] = rest;
      return rest.length > 0 || kind === "optionalCatchAll" ? params : undefined;
    }
    const part = parts[index];
    if (part === undefined || part === "") return undefined;
    if (kind === "dynamic") params[name] = part;
    else if (part !== name) return undefined;
  }
  return segments.length === parts.length ? params : undefined;
}

function inOrder(left: NextRoute, right: NextRoute): number {
  for (const [index, segment] of left.segments.entries()) {
    const other = right.segments[index];
    if (other === undefined) return -1;
    const difference = ORDER[segment.kind] - ORDER[other.kind];
    if (difference !== 0) return difference;
  }
  return 0;
}

function refuseConflicts(routes: readonly NextRoute[]): void {
  const files = new Map<string, string>();
  const names = new Map<string, { readonly name: string; readonly file: string }>();
  for (const { file, segments } of routes) {
    let path = "";
    for (const [index, { kind, name }] of segments.entries()) {
      if (kind === "optionalCatchAll") claim(files, path, file);
      path += `/${kind === "static" ? name : SHAPES[kind]}`;
      if (kind === "static") continue;
      if (kind !== "dynamic" && index < segments.length - 1)
        throw refused(`${file}: a catch-all folder has to be the last of its path`);
      const known = names.get(path);
      if (known !== undefined && known.name !== name)
        throw refused(`${known.file} and ${file} name the same part of the path ${known.name} and ${name}`);
      names.set(path, { name, file });
    }
    claim(files, path, file);
  }
}

function claim(files: Map<string, string>, path: string, file: string): void {
  const other = files.get(path);
  if (other !== undefined) throw refused(`${other} and ${file} answer the same path, ${path === "" ? "/" : path}`);
  files.set(path, file);
}

function refused(reason: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `nextApp(): ${reason}, which Next refuses to build.`);
}
