import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { shortened } from "../kit/base/errors/in-words.ts";
import { pointKinds } from "../troubles/point.ts";
import type { PointKind } from "../troubles/point.ts";
import type { PlacedTrouble } from "./placed-trouble.ts";
import { troublesOfShake } from "./troubles-of-shake.ts";

/** How much of an invalid token a message quotes. */
const MOST_SHOWN = 80;

/** Stands in the token of a variation where that of a trouble has a kind of point. */
const ASSUMPTION = "assumption";

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

const shapeOfVariation = z.tuple([z.string(), z.literal(ASSUMPTION), z.string(), z.string()]);

/** Another answer to one question in one test. */
export interface NamedVariation {
  /** The key of the test. */
  readonly test: string;
  readonly id: string;
  readonly name: string;
}

/** Returns the token that repeats a trouble in a test, for `centavo shake --replay`. */
export function tokenOf(test: string, { point, trouble }: Pick<PlacedTrouble, "point" | "trouble">): string {
  return encoded([test, point.kind, point.subject, point.occurrence, trouble.name]);
}

/** Returns the token that repeats another answer in a test, for `centavo shake --replay`. */
export function tokenOfVariation(test: string, { id, name }: Omit<NamedVariation, "test">): string {
  return encoded([test, ASSUMPTION, id, name]);
}

function encoded(content: readonly (string | number)[]): string {
  return btoa(JSON.stringify(content))
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

/** Returns undefined for a token that is not that of a variation. */
export function variationOfToken(token: string): NamedVariation | undefined {
  const { data } = shapeOfVariation.safeParse(decoded(token));
  return data && { test: data[0], id: data[2], name: data[3] };
}

function decoded(token: string): unknown {
  try {
    return JSON.parse(atob(token.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}
