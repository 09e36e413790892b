import type { ReportedGroup, ReportedReason, ReportedShake } from "../reported-shake.ts";
import type { ShakeWithRuns } from "../reported-run.ts";
import { DEFAULT_CURRENCY } from "../reported-run.ts";
import { BlindSpots } from "./blind-spots.tsx";
import { Finding, NameOfTest } from "./finding.tsx";
import { Prose } from "./prose.tsx";
import { Section } from "./section.tsx";
import { isPrinted } from "./store.ts";
import { counted, money } from "./words.ts";

/** All that a shake found, the worst first, and then what was borne, noticed, and not tried. */
export function Shake({ shake }: { readonly shake: ShakeWithRuns }) {
  const { findings, tests, runOfFinding, borne, noticed, countsOnIt, untried, leftOut, failedAlready } = shake;
  return (
    <div class="shake">
      <Figures shake={shake} />
      {findings.map((finding, index) => {
        const run = runOfFinding[index];
        return (
          <Finding
            key={index}
            finding={finding}
            tests={tests}
            number={index + 1}
            noRun={typeof run === "string" ? run : undefined}
          />
        );
      })}
      {shake.blindSpots !== undefined && <BlindSpots blindSpots={shake.blindSpots} />}
      <Section title="Borne" id="borne">
        <p class="told">
          {counted(borne.count, "trouble")} in {counted(borne.tests, "test")} {borne.count === 1 ? "was" : "were"}{" "}
          borne: the test passed, and the customer paid once.
        </p>
        <Kinds kinds={borne.kinds} />
      </Section>
      {noticed.count > 0 && (
        <Section title="Noticed" id="noticed">
          <p class="told">
            Under {counted(noticed.count, "trouble")} a test failed, as it may. The service saw nobody lose money.
          </p>
          <Group group={noticed} />
        </Section>
      )}
      {countsOnIt.length > 0 && (
        <Section title="These tests count on it" id="counts-on-it">
          <p class="told">The test failed because of what it expects itself, and not because of the merchant.</p>
          <Reasons reasons={countsOnIt} />
        </Section>
      )}
      {(untried.length > 0 || shake.left > 0 || shake.ownCalls > 0) && (
        <Section title="Could not be tried" id="untried">
          {shake.left > 0 && (
            <p class="told">
              {counted(shake.left, "trouble")} had no run left: give more <code>--seconds</code> or{" "}
              <code>--max-runs</code>.
            </p>
          )}
          {shake.ownCalls > 0 && (
            <p class="told">
              {counted(shake.ownCalls, "call")} of the tests' own, such as through the part <code>client</code>, cannot
              go wrong: only those of a shop can.
            </p>
          )}
          <Reasons reasons={untried} />
        </Section>
      )}
      <LeftOut leftOut={leftOut} failedAlready={failedAlready} />
    </div>
  );
}

/** The tests that took no part, or not to their end. */
export function LeftOut({ leftOut, failedAlready }: Pick<ReportedShake, "leftOut" | "failedAlready">) {
  if (leftOut.length === 0 && failedAlready.length === 0) return null;
  return (
    <Section title="Left out" id="left-out">
      {leftOut.map(({ why, isInPart, tests: own }) => (
        <div key={why}>
          <p class="told">
            {counted(own.length, "test")}
            {isInPart ? ", shaken only in part" : ""}: <Prose text={why} />
          </p>
          <NamesOfTests tests={own} />
        </div>
      ))}
      {failedAlready.length > 0 && <FailedAlready tests={failedAlready} />}
    </Section>
  );
}

function Figures({ shake: { findings, borne, noticed, tests, runs } }: { readonly shake: ReportedShake }) {
  const amount = findings.reduce((sum, finding) => sum + finding.amount, 0);
  const isNew = findings.some(({ isAccepted }) => !isAccepted);
  return (
    <dl class="figures">
      <div class={`money ${isNew ? "tone-bad" : "tone-good"}`}>
        <dt>Findings</dt>
        <dd>{findings.length.toLocaleString("en")}</dd>
      </div>
      <div class={`money ${amount > 0 ? "tone-bad" : "tone-good"}`}>
        <dt>Money at stake</dt>
        <dd>{money({ amount, currency: DEFAULT_CURRENCY })}</dd>
      </div>
      <div>
        <dt>Borne</dt>
        <dd>{borne.count.toLocaleString("en")}</dd>
      </div>
      <div>
        <dt>Noticed</dt>
        <dd>{noticed.count.toLocaleString("en")}</dd>
      </div>
      <div>
        <dt>Tests</dt>
        <dd>{tests.toLocaleString("en")}</dd>
      </div>
      <div>
        <dt>Runs after the first</dt>
        <dd>{runs.toLocaleString("en")}</dd>
      </div>
    </dl>
  );
}

function Kinds({ kinds }: { readonly kinds: ReportedShake["borne"]["kinds"] }) {
  if (kinds.length === 0) return null;
  return (
    <ul class="harms">
      {kinds.map(({ kind, count, tests, troubles }) => (
        <li key={kind}>
          <Sentences
            summary={`${kind.replaceAll("-", " ")}: ${counted(count, "trouble")} in ${counted(tests, "test")}`}
            sentences={troubles}
          />
        </li>
      ))}
    </ul>
  );
}

function Reasons({ reasons }: { readonly reasons: readonly ReportedReason[] }) {
  return (
    <ul class="harms">
      {reasons.map((reason) => (
        <li key={reason.why}>
          <p class="why">
            {counted(reason.count, "trouble")}: <Prose text={reason.why} />
          </p>
          <Group group={reason} />
        </li>
      ))}
    </ul>
  );
}

function Group({ group: { troubles, tests } }: { readonly group: ReportedGroup }) {
  return (
    <div class="group">
      <Sentences summary={counted(troubles.length, "trouble")} sentences={troubles} />
      <details open={isPrinted.value}>
        <summary>{counted(tests.length, "test")}</summary>
        <NamesOfTests tests={tests} />
      </details>
    </div>
  );
}

export function NamesOfTests({ tests }: Pick<ReportedGroup, "tests">) {
  return (
    <ul class="tests">
      {tests.map((each, index) => (
        <li key={index}>
          <NameOfTest {...each} />
        </li>
      ))}
    </ul>
  );
}

function FailedAlready({ tests }: { readonly tests: ReportedShake["failedAlready"] }) {
  return (
    <>
      <p class="told">
        {counted(tests.length, "test")} {tests.length === 1 ? "fails" : "fail"} without any trouble.
      </p>
      <ul class="harms">
        {tests.map((each, index) => (
          <li key={index}>
            <NameOfTest {...each} />
            <p>{each.message}</p>
          </li>
        ))}
      </ul>
    </>
  );
}

function Sentences({ summary, sentences }: { readonly summary: string; readonly sentences: readonly string[] }) {
  return (
    <details open={isPrinted.value}>
      <summary>{summary}</summary>
      <ul class="also">
        {sentences.map((sentence) => (
          <li key={sentence}>
            <Prose text={sentence} />
          </li>
        ))}
      </ul>
    </details>
  );
}
