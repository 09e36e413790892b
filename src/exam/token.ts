import * as z from "zod/mini";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { flowNames } from "./flows.ts";
import { pointKinds } from "../troubles/point.ts";
import type { PointKind } from "../troubles/point.ts";
import type { Story } from "./story.ts";
import { troubleOf } from "./troubles/troubles.ts";

/** How much of an invalid token a message quotes. */
const MOST_SHOWN = 80;

const natural = z.int().check(z.minimum(1));

const shape = z.strictObject({
  flow: z.string(),
  troubles: z._default(
    z.array(
      z
        .tuple([z.enum(Object.keys(pointKinds) as PointKind[]), z.string(), natural, z.string()])
        .check(z.refine(([kind, , , name]) => troubleOf(kind, name) !== undefined)),
    ),
    [],
  ),
  schedule: z.exactOptional(z.int()),
  /** How many of the flow's steps are played; all by default. */
  steps: z.exactOptional(natural),
});

/** What a token contains: the flow by name, without its steps. */
export interface NamedStory extends Omit<Story, "flow"> {
  readonly flow: string;
  readonly steps?: number;
}

/** Returns the token that replays a story, for `exam({ replay })` and `centavo exam --replay`. */
export function tokenOf({ flow, troubles, schedule }: Story): string {
  const content = {
    flow: flow.name,
    ...(troubles.length === 0
      ? {}
      : {
          troubles: troubles.map(({ point, trouble }) => [point.kind, point.subject, point.occurrence, trouble.name]),
        }),
    ...(schedule === undefined ? {} : { schedule }),
    ...(flow.played === undefined ? {} : { steps: flow.played }),
  };
  return btoa(JSON.stringify(content))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace(/(?<!=)=+$/, "");
}

/**
 * Reads the token of a story.
 * @throws {CentavoError} `INVALID_OPTION` when it is not a token of this version; of a flow that is not known, it names the flow
 */
export function storyOf(token: unknown): NamedStory {
  const { data: content } = shape.safeParse(decoded(token));
  if (content !== undefined && !flowNames.has(content.flow)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `exam: the story of the option replay has the flow ${inWords(content.flow.slice(0, MOST_SHOWN))}, which this version of Centavo does not have. Another version wrote the token: examine again, and take the token of the new verdict.`,
    );
  }
  if (content === undefined) {
    throw new CentavoError(
      "INVALID_OPTION",
      `exam: the option replay is ${inWords(String(token).slice(0, MOST_SHOWN))}, which is not a token of this version of Centavo. Copy the whole token from the verdict that failed.`,
    );
  }
  const { troubles, ...story } = content;
  return {
    ...story,
    troubles: troubles.flatMap(([kind, subject, occurrence, name]) => {
      const trouble = troubleOf(kind, name);
      return trouble === undefined ? [] : [{ point: { kind, subject, occurrence }, trouble }];
    }),
  };
}

/** Returns the token of the same flow, in which nothing goes wrong. */
export function withoutTroubles(token: string): string {
  const { flow: name } = storyOf(token);
  return tokenOf({ flow: { name, steps: [] }, troubles: [] });
}

export function isToken(text: string): boolean {
  const { data } = shape.safeParse(decoded(text));
  return data !== undefined && flowNames.has(data.flow);
}

function decoded(token: unknown): unknown {
  try {
    return JSON.parse(atob(String(token).replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return undefined;
  }
}
