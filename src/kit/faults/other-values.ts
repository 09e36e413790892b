import * as z from "zod/mini";
import { json, name } from "./fields.ts";

/** How a field says something else: by how much more, or what instead. */
export interface OtherValue {
  readonly field: string;
  readonly by?: number | undefined;
  readonly to?: unknown;
}

const WHOLE = "it takes a whole number";

/** The fields of a fault that lets a field of a body say something else. */
export const otherValueFields = {
  field: name,
  by: z.optional(z.int(WHOLE)),
  to: z.optional(json),
};

/** Returns what is wrong with such a fault although each of its fields is right. */
export function otherValueComplaint({ by, to }: OtherValue): string | undefined {
  if (by === 0) return "by is 0, which changes nothing";
  return (by === undefined) === (to === undefined)
    ? 'it takes either by, as in { field: "amount", by: 1 }, or to, as in { field: "status", to: "failed" }'
    : undefined;
}

/** Whether some field of a body would say something else. */
export function hasOtherValue(body: unknown, changed: OtherValue): boolean {
  if (typeof body !== "object" || body === null) return false;
  return Object.entries(body).some(
    ([member, value]) => isChanged(member, value, changed) || hasOtherValue(value, changed),
  );
}

/** Returns a copy of a body in which each field of the name says something else. */
export function withOtherValue<Body>(body: Body, changed: OtherValue): Body {
  if (Array.isArray(body)) return body.map((member: unknown) => withOtherValue(member, changed)) as Body;
  if (typeof body !== "object" || body === null) return body;
  const members = Object.entries(body).map(([member, value]: [string, unknown]) => {
    if (!isChanged(member, value, changed)) return [member, withOtherValue(value, changed)];
    return [member, changed.by === undefined ? changed.to : (value as number) + changed.by];
  });
  return Object.fromEntries(members) as Body;
}

function isChanged(member: string, value: unknown, { field, by }: OtherValue): boolean {
  return member === field && (by === undefined || typeof value === "number");
}
