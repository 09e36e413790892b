import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import { pointKinds } from "../troubles/point.ts";
import type { PointKind } from "../troubles/point.ts";
import type { PlacedTrouble } from "./placed-trouble.ts";
import { troublesOfShake } from "./troubles-of-shake.ts";

/** How much of an invalid token a message quotes. */
const MOST_SHOWN = 80;

const shape = z.tuple([
  z.string(),
  z.enum(Object.keys(pointKinds) as PointKind[]),
  z.string(),
  z.int().check(z.minimum(1)),
  z.string(),
]);

/** One trouble in one test. */
export interface NamedTrouble {
  /** The key of the test. */
  readonly test: string;
  readonly kind: PointKind;
  readonly subject: string;
  readonly occurrence: number;
  readonly trouble: string;
}

/** Returns the token that repeats a trouble in a test, for `centavo shake --replay`. */
export function tokenOf(test: string, { point, trouble }: Pick<PlacedTrouble, "point" | "trouble">): string {
  const content = JSON.stringify([test, point.kind, point.subject, point.occurrence, trouble.name]);
  return btoa(content)
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/(?<!=)=+$/, "");
}

/** @throws {CentavoError} `INVALID_OPTION` when it is not a token of this version */
export function troubleOfToken(token: string): NamedTrouble {
  const { data } = shape.safeParse(decoded(token));
  if (data === undefined || !troublesOfShake.some(({ name, at }) => name === data[4] && at === data[1]))
    throw new CentavoError(
      "INVALID_OPTION",
      `centavo shake --replay ${shortened(token, MOST_SHOWN)}: this is not a token of this version of Centavo. Copy the whole token from a finding.`,
    );
  const [test, kind, subject, occurrence, trouble] = data;
  return { test, kind, subject, occurrence, trouble };
}

function decoded(token: string): unknown {
  try {
    return JSON.parse(atob(token.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}
