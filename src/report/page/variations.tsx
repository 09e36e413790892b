import type { VariationsWithRuns } from "../reported-run.ts";
import { Prose } from "./prose.tsx";
import { Reliance } from "./reliance.tsx";
import { Section } from "./section.tsx";
import { LeftOut, NamesOfTests } from "./shake.tsx";
import { isPrinted } from "./store.ts";
import { counted } from "./words.ts";

/** What the tests of a suite rely on, what to ask the provider first comes first, and then what they do not rely on. */
export function Variations({ variations }: { readonly variations: VariationsWithRuns }) {
  const { reliances, runOfFinding, free, decided, fixed, untried, left, leftOut, failedAlready } = variations;
  return (
    <div class="shake">
      <Figures variations={variations} />
      {reliances.map((reliance, index) => {
        const run = runOfFinding[index];
        return (
          <Reliance
            key={index}
            reliance={reliance}
            number={index + 1}
            noRun={typeof run === "string" ? run : undefined}
          />
        );
      })}
      <Section title="Not relied on" id="free">
        <p class="told">No test failed under another answer to {counted(free.length, "question")}.</p>
        <Ids ids={free} />
      </Section>
      {decided.length > 0 && (
        <Section title="Decided" id="decided">
          <p class="told">The suite sets these itself, so they were not varied.</p>
          <Ids ids={decided.map(({ id }) => id)} />
        </Section>
      )}
      {fixed.length > 0 && (
        <Section title="Fixed" id="fixed">
          <p class="told">The tests also rest on these answers, which cannot be varied.</p>
          <Ids ids={fixed} />
        </Section>
      )}
      {(untried.length > 0 || left > 0) && (
        <Section title="Could not be tried" id="untried">
          {left > 0 && (
            <p class="told">
              {counted(left, "variation")} had no run left: give more <code>--seconds</code> or <code>--max-runs</code>.
            </p>
          )}
          <ul class="harms">
            {untried.map(({ why, count, tests }) => (
              <li key={why}>
                <p class="why">
                  {counted(count, "variation")}: <Prose text={why} />
                </p>
                <details open={isPrinted.value}>
                  <summary>{counted(tests.length, "test")}</summary>
                  <NamesOfTests tests={tests} />
                </details>
              </li>
            ))}
          </ul>
        </Section>
      )}
      <LeftOut leftOut={leftOut} failedAlready={failedAlready} />
    </div>
  );
}

function Figures({
  variations: { reliances, free, decided, tests, runs },
}: {
  readonly variations: VariationsWithRuns;
}) {
  const figures = [
    ["Relied on", reliances.length],
    ["Not relied on", free.length],
    ["Decided", decided.length],
    ["Tests", tests],
    ["Runs after the first", runs],
  ] as const;
  return (
    <dl class="figures">
      {figures.map(([name, figure]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{figure.toLocaleString("en")}</dd>
        </div>
      ))}
    </dl>
  );
}

function Ids({ ids }: { readonly ids: readonly string[] }) {
  if (ids.length === 0) return null;
  return (
    <ul class="also">
      {ids.map((id) => (
        <li key={id}>
          <code>{id}</code>
        </li>
      ))}
    </ul>
  );
}
