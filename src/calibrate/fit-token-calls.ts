import { namesOf, tokenFields } from "../service/wire/token-call.ts";
import type { TokenCallForm, TokenField } from "../service/wire/token-call.ts";
import { isRecord } from "./differences.ts";
import type { Names } from "./names.ts";
import type { Search } from "./search.ts";
import { rows } from "./slots.ts";
import { parsed } from "./steps.ts";
import type { Step } from "./steps.ts";

type FieldNames = NonNullable<TokenCallForm["names"]>;

/** A token call with more fields than these is another call. */
const MOST_FIELDS = 5;
const MOST_NAMINGS = 40;
const GRANTS: ReadonlySet<string> = new Set(["client_credentials", "refresh_token"]);
const row = rows.find(({ id }) => id === "auth.token-request");

/** Finds the names of the fields of token calls that the world refuses, and the real service did not. Returns whether any has changed. */
export async function fitTokenCalls(search: Search): Promise<boolean> {
  let hasChanged = false;
  for (const [index, step] of search.steps.entries()) {
    const { answer } = step.exchange;
    const status = search.played.compared[index]?.sent?.status ?? 0;
    const isRefused = status >= 400 && answer !== undefined && answer.status < 400;
    if (!isRefused || !search.isOpen) continue;
    const fields = fieldsOf(step);
    if (fields.length === 0 || fields.length > MOST_FIELDS) continue;
    if (await fitNames(search, index, fields)) hasChanged = true;
  }
  return hasChanged;
}

async function fitNames(
  search: Search,
  index: number,
  fields: readonly (readonly [name: string, value: string])[],
): Promise<boolean> {
  if (row === undefined) return false;
  const form = search.valueOf(row) as TokenCallForm;
  const { names } = search.played;
  for (const found of namings(fields, form, names)) {
    const value = { ...form, names: { ...form.names, ...found } };
    if (!row.schema.safeParse(value).success) continue;
    const values = { ...search.values, [row.id]: value };
    const played = await search.try(values);
    const status = played.compared[index]?.sent?.status ?? 400;
    if (status >= 400) continue;
    search.accept(values, played);
    return true;
  }
  return false;
}

/** Returns which field of a token call each of these may be, the likeliest first. */
function namings(
  fields: readonly (readonly [name: string, value: string])[],
  form: TokenCallForm,
  names: Names,
): readonly FieldNames[] {
  let found: readonly { readonly names: FieldNames; readonly score: number }[] = [{ names: {}, score: 0 }];
  for (const [name, value] of fields)
    found = found.flatMap((each) => {
      const others = tokenFields.filter((field) => each.names[field] === undefined);
      const chosen = others.map((field) => ({
        names: { ...each.names, [field]: name },
        score: each.score + likeness(field, name, value, names),
      }));
      return [...chosen, each];
    });
  return found
    .toSorted((left, right) => right.score - left.score)
    .slice(0, MOST_NAMINGS)
    .map((each) => withoutUsual(each.names, form))
    .filter((each) => Object.keys(each).length > 0);
}

/** Leaves out the names that the world reads already. */
function withoutUsual(found: FieldNames, form: TokenCallForm): FieldNames {
  return Object.fromEntries(
    Object.entries(found).filter(
      ([field, name]) => name !== undefined && !namesOf(form, field as TokenField).includes(name),
    ),
  );
}

/** How likely a field of a recorded call is one of a token call, by its value and its name. */
function likeness(field: TokenField, name: string, value: string, names: Names): number {
  const isGrant = GRANTS.has(value);
  if (isGrant !== (field === "grant_type")) return -2;
  if (isGrant) return 2;
  const isKnown = names.worldOf(value) !== undefined;
  const isHidden = /^redacted-(?:secret|password|key)-/.test(value);
  switch (field) {
    case "refresh_token":
      return (isKnown ? 2 : -1) + (/refresh/i.test(name) ? 1 : 0);
    case "client_secret":
      return (isKnown ? -1 : 0) + (isHidden ? 1 : 0) + (/secret|password|key/i.test(name) ? 1 : 0);
    case "client_id":
    case "grant_type":
      return (isKnown ? -1 : 0) + (isHidden ? -1 : 1) + (/id|user|name|merchant/i.test(name) ? 1 : 0);
  }
}

function fieldsOf({ exchange: { request } }: Step): readonly (readonly [name: string, value: string])[] {
  const { method, headers, body = "" } = request;
  if (method !== "POST" || body === "") return [];
  const type = headers.find(([name]) => name === "content-type")?.[1] ?? "";
  if (type.includes("x-www-form-urlencoded")) return [...new URLSearchParams(body)];
  const document = parsed(body);
  if (!isRecord(document)) return [];
  const fields = Object.entries(document);
  return fields.every((field): field is [string, string] => typeof field[1] === "string") ? fields : [];
}
