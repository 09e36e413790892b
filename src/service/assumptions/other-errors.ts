import { errorTable } from "../error-table.ts";
import type { ErrorCode } from "../error-table.ts";

/** What each status of the error table is for, and the status that other services have there. */
const groups = [
  { status: 400, meaning: "wrong requests", other: 422 },
  { status: 401, meaning: "wrong credentials", other: 403 },
  { status: 402, meaning: "declines", other: 400 },
  { status: 404, meaning: "what does not exist", other: 400 },
  { status: 405, meaning: "other methods", other: 404 },
  { status: 409, meaning: "the wrong state", other: 400 },
  { status: 413, meaning: "bodies that are too large", other: 400 },
  { status: 415, meaning: "other media types", other: 400 },
  { status: 429, meaning: "too many requests", other: 503 },
  { status: 500, meaning: "failures of the service", other: 503 },
] as const;

const codes = Object.keys(errorTable) as ErrorCode[];

/** Other statuses of errors, by what of the table they replace. */
export const otherStatuses = Object.fromEntries(
  groups.map(({ status, meaning, other }) => [
    `${status} for ${meaning}`,
    // The status of an invalid refresh token is another row's.
    Object.fromEntries(codesOf(status).flatMap((code) => (code === "INVALID_REFRESH_TOKEN" ? [] : [[code, other]]))),
  ]),
);

/** Other codes and messages of errors, by what of the table they replace. */
export const otherCodes = Object.fromEntries([
  ...groups.map(({ status, meaning }) => [
    `the codes of ${meaning}`,
    Object.fromEntries(codesOf(status).map((code) => [code, { code: code.toLowerCase() }])),
  ]),
  ["the messages", Object.fromEntries(codes.map((code) => [code, { message: `Refused: ${code.toLowerCase()}` }]))],
]) as Readonly<Record<string, Partial<Record<ErrorCode, { readonly code?: string; readonly message?: string }>>>>;

function codesOf(status: number): readonly ErrorCode[] {
  return codes.filter((code) => errorTable[code].status === status);
}
