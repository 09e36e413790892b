import { needsOf, sentenceOf } from "../src/shake/placed-trouble.ts";
import { fits, kindOf, troublesOfShake } from "../src/shake/troubles-of-shake.ts";
import { RENEWAL } from "../src/troubles/acts.ts";
import { kindsOfTrouble } from "../src/troubles/in-shake.ts";
import type { Point, PointKind } from "../src/troubles/point.ts";
import type { ServiceTrouble } from "../src/troubles/trouble.ts";

/** Where the sentences of the page strike: the first that fits. */
const examples: Readonly<Partial<Record<PointKind, readonly string[]>>> = {
  call: ["payment-intent.confirm", "payment-intent.create", "payment-intent.status"],
  event: ["payment_intent.succeeded"],
  act: ["checkout.process", RENEWAL],
  story: [""],
};

/** Renders every trouble of `centavo shake` as a page: its kind, what goes wrong, and what a shop owes meanwhile. */
export function troublesPage(): string {
  const rows = kindsOfTrouble.flatMap((kind) =>
    troublesOfShake
      .filter((trouble) => kindOf(trouble) === kind)
      .map((trouble) => `| \`${kind}\` | ${told(trouble)} | ${owed(trouble)} |`),
  );
  return `# Troubles

Look up what [\`centavo shake\`](../guide/shake.md) lets go wrong in your tests, and what your shop owes while it does. \`--only\` takes the kinds. Each sentence names one place as an example: a shake makes the trouble at every place where it shows something new.

| Kind | What goes wrong | What your shop owes |
| --- | --- | --- |
${rows.join("\n")}
`;
}

function told(trouble: ServiceTrouble): string {
  const points = (examples[trouble.at] ?? []).map((subject): Point => ({ kind: trouble.at, subject, occurrence: 1 }));
  const point = points.find((each) => fits(trouble, each));
  if (point === undefined) throw new Error(`No example of the page fits the trouble ${trouble.name}.`);
  return sentenceOf({ trouble, point }, {});
}

function owed(trouble: ServiceTrouble): string {
  const { inShake } = trouble;
  switch (inShake.is) {
    case "must not be noticed": {
      if (inShake.whereRepeated === true)
        return "the test stays green where some test of the suite shows that your shop repeats the call; else nobody may lose money";
      const needs = needsOf(trouble, {});
      return `the test stays green${needs === undefined ? "" : `, once it has moved its clock by ${needs}`}`;
    }
    case "must not cost":
      return "the test may fail, but nobody may lose money";
    case "must be noticed":
      return "some test fails (only with `--blind-spots`)";
    case "left out":
      throw new Error("A shake leaves it out.");
  }
}
