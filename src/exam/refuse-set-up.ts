import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { lastReading } from "./evidence.ts";
import { SHOP } from "./playing/programs.ts";
import type { ReadOptions } from "./read-options.ts";
import type { Observations, ObservedAct } from "./playing/observations.ts";
import type { Outcome } from "./run-story.ts";
import type { Flow } from "./story.ts";
import { withoutSecrets } from "./without-secrets.ts";

/** Which acts make the rows of the books. */
const ROWS = { orders: ["order", "checkout"], memberships: ["join"] } as const;
/** What a merchant answers where it has no such route. */
const NO_ROUTE: ReadonlySet<number | undefined> = new Set([404, 405]);
/** How many ids an error names. */
const MOST_IDS = 5;

/**
 * Refuses acts, books and a `webhookPath` that do not fit the merchant. Each act is looked at in the first flow that has it, in which nothing
 * goes wrong.
 * @throws {CentavoError} `INVALID_OPTION` naming the act, its request and the way out
 */
export function refuseSetUp(
  { story, receivers, evidence: { seen, events } }: Outcome,
  flows: readonly Flow[],
  { webhookPath = "" }: Pick<ReadOptions, "webhookPath">,
): void {
  if (story.flow === flows[0] && receivers.length === 1 && receivers[0] === SHOP + webhookPath)
    refuseWebhookPath(webhookPath, events);
  const known = new Set(flows.slice(0, flows.indexOf(story.flow)).flatMap(actsOf));
  for (const act of new Set(actsOf(story.flow))) {
    if (known.has(act)) continue;
    const observed = seen.acts.find((each) => each.act === act);
    if (observed === undefined || hasTroubleBefore(seen, observed)) continue;
    refuseAct(observed);
    for (const [name, acts] of Object.entries(ROWS))
      if ((acts as readonly string[]).includes(act)) refuseIds(seen, observed, name as keyof typeof ROWS);
  }
}

function actsOf({ steps }: Flow): readonly string[] {
  return steps.flatMap((step) =>
    step.kind === "act" ? [step.act] : step.kind === "together" ? step.steps.map(({ act }) => act) : [],
  );
}

/** Whether an earlier act failed, so that this one may fail for its sake. */
function hasTroubleBefore({ acts }: Observations, observed: ObservedAct): boolean {
  return acts
    .slice(0, acts.indexOf(observed))
    .some(({ status = 500 }) => status >= 500 || status === 404 || status === 405);
}

function refuseAct({ act, status, request, threw }: ObservedAct): void {
  // When the merchant fails, an act may throw without a mistake of its own.
  if (threw !== undefined && (request?.status ?? 0) < 500)
    throw mistake(
      `the act ${act} threw in its first story, in which nothing goes wrong.`,
      `It has to return the merchant's answer, as visit does. It threw: ${messageOf(threw)}`,
    );
  if (request !== undefined && NO_ROUTE.has(status ?? request.status))
    throw mistake(
      `the act ${act} asked ${request.what} in its first story, in which nothing goes wrong, and the merchant's app answered ${status ?? request.status}.`,
      "Give the act the method and the path of a route that the app has, or leave the act out.",
    );
}

function refuseWebhookPath(path: string, events: Outcome["evidence"]["events"]): void {
  const answers = new Set(events.map(({ last }) => last?.answered));
  if (answers.size === 0 || ![...answers].every((status) => NO_ROUTE.has(status))) return;
  throw mistake(
    `the merchant's app answered ${[...answers].join(" and ")} to each event in the first story, in which nothing goes wrong.`,
    `Events go to the option webhookPath, ${path}. Give it the path of the route that takes them.`,
  );
}

function refuseIds(seen: Observations, { act, request }: ObservedAct, name: keyof typeof ROWS): void {
  const rows: readonly { readonly id: string }[] = lastReading({ seen })?.books[name] ?? [];
  const used = new Set(seen.acts.map(({ id }) => id));
  if (rows.length === 0 || rows.some(({ id }) => used.has(id))) return;
  const found = rows.slice(0, MOST_IDS).map(({ id }) => withoutSecrets(inWords(id)));
  throw mistake(
    `books returned ${name} with the ids ${found.join(", ")}, and no customer used these: the act ${act}${request === undefined ? "" : `, which asked ${request.what},`} had ${[...used].map((id) => inWords(id)).join(", ")}.`,
    `Return the id that the act was given. If the shop has ids of its own, send that id along, such as in a reference, or keep the shop's id in the act's notes, and look it up in books.`,
  );
}

function mistake(what: string, wayOut: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `exam: ${what} ${wayOut}`);
}
