import * as z from "zod/mini";
import { inWords } from "../base/errors/in-words.ts";
import { selector } from "../faults/declaration.ts";
import type { Occasion } from "../faults/declaration.ts";
import { name, oneOf, text } from "../faults/fields.ts";
import { matches, matchesNothing, overlap } from "../faults/patterns.ts";

/** A call, as selectors see it. */
export interface CallOccasion extends Occasion {
  readonly route: string | undefined;
  readonly method: string;
  /** Below the base URL. */
  readonly path: string;
  /** Every id that its path or body names. */
  readonly resources: readonly string[];
  readonly merchant: string | undefined;
  /** The strings at the top level of its body. */
  readonly fields: Readonly<Record<string, string>>;
}

/** What selectors of calls need to know about the service. */
export interface RoutedService {
  readonly routes: readonly {
    readonly name: string;
    readonly method: string;
    /** With parameters in braces, as the OpenAPI document writes it. */
    readonly path: string;
  }[];
  /** The codes of its errors. */
  readonly errors: readonly string[];
}

const callSelector = selector<CallOccasion, RoutedService>();

/** Which calls of the service a fault concerns; all by default. */
export const callSelectors = {
  /** The name of a route: its `operationId` in the OpenAPI document. `*` stands for any text. */
  route: callSelector({
    field: z.optional(text),
    otherNames: ["operationId"],
    selects: (route, call) => matches(route, call.route),
    complaint: (route, { routes }, fault) => {
      const names = routes.map((known) => known.name);
      return matchesNothing("route", route, names) ?? contradiction(route, routes, fault);
    },
  }),
  method: callSelector({
    field: z.optional(oneOf(["GET", "POST", "PATCH", "DELETE"])),
    selects: (method, call) => method === call.method,
  }),
  /** A path below the base URL; `*` stands for any text. */
  path: callSelector({
    field: z.optional(
      text.check(
        z.regex(/^\//, "it begins with a slash and is relative to the base URL"),
        z.regex(/^[^?#]*$/, "it takes no query and no fragment; give the path alone"),
      ),
    ),
    otherNames: ["url"],
    selects: (path, call) => matches(path, call.path),
  }),
  /** An id or token in the call's path or body. */
  resource: callSelector({
    field: z.optional(name),
    selects: (resource, call) => call.resources.includes(resource),
  }),
  /** The id of the merchant who calls. */
  merchant: callSelector({
    field: z.optional(name),
    otherNames: ["merchantId"],
    selects: (merchant, call) => merchant === call.merchant,
  }),
};

/** Returns what is wrong with a method or path beside a route. The route already says both, so they may match more calls, but not others. */
function contradiction(
  pattern: string,
  routes: RoutedService["routes"],
  { method, path }: { readonly method?: string; readonly path?: string },
): string | undefined {
  const named = routes.filter((known) => matches(pattern, known.name));
  const ofMethod = named.filter((known) => method === undefined || method === known.method);
  const [first] = ofMethod.length === 0 ? named : ofMethod;
  if (first === undefined) return undefined;
  const itself = `the route ${first.name} is ${first.method} ${first.path}; leave out one of the two`;
  if (ofMethod.length === 0) return `method is ${inWords(method)}, and ${itself}`;
  if (path !== undefined && !ofMethod.some((known) => overlap(path, known.path.replaceAll(/\{\w+\}/g, "*"))))
    return `path is ${inWords(path)}, and ${itself}`;
  return undefined;
}
