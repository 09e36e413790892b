import { shortened } from "../kit/base/errors/in-words.ts";
import { commandLine } from "../report/causes/commands.ts";
import type { ReportedReliance, ReportedVariations } from "../report/reported-variations.ts";
import type { TestRecord } from "../testing/shake/test-record.ts";
import { counted } from "./in-words.ts";
import { aboutTests, inWords, testsOf } from "./reported-shake.ts";
import type { TellingOfShake } from "./reported-shake.ts";
import { tokenOfVariation } from "./token.ts";
import { rowOf, variedIds } from "./variations.ts";
import type { JudgedVariation, VaryResult } from "./vary.ts";

/** How much of a value a sentence shows, in characters. */
const MOST_OF_VALUE = 60;

/** A test that relies on the usual answer. */
type Dependent = JudgedVariation & { readonly judgement: { readonly is: "relies"; readonly message: string } };

/** Returns everything that a suite under other answers tells, as plain data. */
export function reportedVariations(
  { plain, judged, left, leftIds, runs }: VaryResult,
  { command, accepted, firstCode = 0 }: TellingOfShake,
): ReportedVariations {
  const dependents = judged.flatMap((each) => (relies(each) ? [each] : []));
  const reliances = [
    ...Map.groupBy(dependents, ({ variation: { id, insteadOf } }) => JSON.stringify([id, insteadOf])).values(),
  ];
  const reliedOn = new Set<string>(dependents.map(({ variation }) => variation.id));
  const held = idsOf(judged, "holds");
  // As long as a value was not tried, a test may rely on the answer.
  const open = new Set([...leftIds, ...idsOf(judged, "untried")]);
  const passed = plain.filter(({ outcome }) => outcome.is === "passed");
  const about = aboutTests(plain, firstCode);
  return {
    suite: commandLine(command),
    runs,
    reliances: reliances.map((group) => relianceOf(group, passed.length, command, accepted)).toSorted(byWeight),
    free: [...held].filter((id) => !reliedOn.has(id) && !open.has(id)).toSorted(byTable),
    decided: decidedBy(passed),
    fixed: [...new Set(passed.flatMap(({ assumptions }) => assumptions?.used ?? []))]
      .filter((id) => rowOf(id)?.values === "fixed")
      .toSorted(),
    untried: untriedOf(judged),
    left,
    ...about,
    // A world that is reset has the same service as before.
    leftOut: about.leftOut.filter(({ isInPart }) => !isInPart),
  };
}

function idsOf(judged: readonly JudgedVariation[], is: JudgedVariation["judgement"]["is"]): ReadonlySet<string> {
  return new Set(judged.filter(({ judgement }) => judgement.is === is).map(({ variation }) => variation.id));
}

function relies(each: JudgedVariation): each is Dependent {
  return each.judgement.is === "relies";
}

function relianceOf(
  group: readonly Dependent[],
  all: number,
  command: readonly string[],
  accepted: ReadonlySet<string>,
): ReportedReliance {
  const [{ variation }] = group as readonly [Dependent];
  const { id, insteadOf: part } = variation;
  const row = rowOf(id);
  const value = row !== undefined && "value" in row ? row.value : undefined;
  const document = row !== undefined && "document" in row ? row.document : undefined;
  const tests = group.map(({ plain, variation: own, judgement }) => {
    const token = tokenOfVariation(plain.test.key, own);
    return {
      ...inWords(plain),
      under: own.value,
      what: judgement.message,
      token,
      command: commandLine(["npx", "centavo", "shake", "--replay", token, "--", ...command]),
    };
  });
  const count = testsOf(group).length;
  const who = `${count} of ${counted(all, "test")} ${count === 1 ? "relies" : "rely"} on`;
  const source =
    document === undefined ? "which the document does not say" : `which part ${document} of the document says`;
  return {
    id,
    question: row?.question ?? "",
    value,
    ...(part === undefined ? {} : { part }),
    ...(document === undefined ? {} : { document }),
    sentence: `${who} ${part === undefined ? valueInWords(id, value) : `${id}: ${part}`}, ${source}.`,
    page: `docs/reference/assumptions.md#${id}`,
    isAccepted: tests.every(({ token }) => accepted.has(token)),
    tests,
  };
}

/** Names an assumption with its value. One whose default changes nothing has nothing to show. */
function valueInWords(id: string, value: unknown): string {
  const isEmpty = typeof value === "object" && value !== null && Object.keys(value).length === 0;
  return isEmpty ? `the default of ${id}` : `${id}: ${shortened(JSON.stringify(value), MOST_OF_VALUE)}`;
}

/** What the document does not say comes first, then what most tests rely on. */
function byWeight(one: ReportedReliance, other: ReportedReliance): number {
  const isSaid = ({ document }: ReportedReliance): number => (document === undefined ? 0 : 1);
  return isSaid(one) - isSaid(other) || testsIn(other) - testsIn(one) || byTable(one.id, other.id);
}

function testsIn({ tests }: ReportedReliance): number {
  return new Set(tests.map(({ file, test }) => JSON.stringify([file, test]))).size;
}

function byTable(one: string, other: string): number {
  return variedIds.indexOf(one) - variedIds.indexOf(other);
}

function decidedBy(passed: readonly TestRecord[]): ReportedVariations["decided"] {
  const each = passed.flatMap(({ assumptions }) => assumptions?.decided ?? []);
  return [...Map.groupBy(each, (id) => id)]
    .map(([id, tests]) => ({ id, tests: tests.length }))
    .toSorted((one, other) => byTable(one.id, other.id));
}

function untriedOf(judged: readonly JudgedVariation[]): ReportedVariations["untried"] {
  const untried = judged.flatMap(({ judgement, plain }) =>
    judgement.is === "untried" ? [{ why: judgement.why, plain }] : [],
  );
  return [...Map.groupBy(untried, ({ why }) => why)]
    .map(([why, group]) => ({ why, count: group.length, tests: testsOf(group) }))
    .toSorted((one, other) => other.count - one.count);
}
