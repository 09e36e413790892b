import { pageOf } from "../causes/pages.ts";
import { DEFAULT_CURRENCY } from "../reported-run.ts";
import type { ReportedRun } from "../reported-run.ts";
import { Money } from "./money.tsx";
import { Prose } from "./prose.tsx";
import { durationInWords, money, sumsOf } from "./words.ts";

interface SummaryProps {
  readonly run: ReportedRun;
  /** Whether something else says what went wrong. */
  readonly isTold?: boolean;
}

/** What happened and why, before anything else. */
export function Summary({ run, isTold = false }: SummaryProps) {
  return (
    <section class="summary" aria-label="Summary">
      {isTold ? run.error !== undefined && <ErrorOfTest error={run.error} /> : <Verdict run={run} />}
      {run.rows.length > 0 && <Figures run={run} />}
    </section>
  );
}

function Verdict({ run: { outcome, causes, nothingFound, error, exam, replay } }: { readonly run: ReportedRun }) {
  const [first, ...others] = causes;
  const failed = outcome === "failed";
  if (exam !== undefined) return <Exam exam={exam} replay={replay} />;
  if (outcome === "passed") return null;
  if (first === undefined && !failed) return null;
  return (
    <div class={`verdict ${failed ? "tone-bad" : "tone-pending"}${error === undefined ? "" : " with-error"}`}>
      <div>
        {first === undefined ? (
          <>
            <p class="eyebrow">No likely cause found</p>
            {nothingFound !== undefined && (
              <p class="sentence">
                <Prose text={nothingFound.sentence} />.
              </p>
            )}
            {nothingFound?.lookAt !== undefined && (
              <p class="way-out">
                <b>Look at:</b> <Prose text={nothingFound.lookAt} />.
              </p>
            )}
            {nothingFound?.further !== undefined && (
              <p class="way-out">
                <b>And at:</b> <Prose text={nothingFound.further} />.
              </p>
            )}
          </>
        ) : (
          <>
            <p class="eyebrow">{failed ? "Likely cause" : "Worth a look"}</p>
            <p class="sentence">
              <Prose text={first.sentence} />.
            </p>
            <p class="way-out">
              <b>Way out:</b> <Prose text={first.wayOut} />. <span class="hint">{pageOf(first.name)}</span>
            </p>
          </>
        )}
        {others.length > 0 && (
          <ul class="also">
            {others.map(({ name, sentence, wayOut }) => (
              <li key={name}>
                <Prose text={sentence} />.{" "}
                <span class="hint">
                  <Prose text={wayOut} />.
                </span>
              </li>
            ))}
          </ul>
        )}
        {replay !== undefined && <Command command={replay} />}
      </div>
      {error !== undefined && <ErrorOfTest error={error} />}
    </div>
  );
}

function ErrorOfTest({ error }: { readonly error: string }) {
  return (
    <details open={error.length < 600}>
      <summary>The error of the test</summary>
      <pre tabIndex={0} aria-label="The error of the test">
        {error}
      </pre>
    </details>
  );
}

function Exam({
  exam,
  replay,
}: {
  readonly exam: NonNullable<ReportedRun["exam"]>;
  readonly replay: string | undefined;
}) {
  return (
    <div class="verdict tone-bad of-exam">
      <div>
        <p class="eyebrow">The exam · law “{exam.law}”</p>
        <p class="sentence">
          <Prose text={exam.sentence} />
        </p>
        <ol class="story">
          {exam.story.map((sentence, index) => (
            <li key={index}>
              <Prose text={sentence} />
            </li>
          ))}
        </ol>
        <p class="what-is-wrong">
          <Prose text={exam.what} />
        </p>
      </div>
      <div>
        {exam.money !== undefined && exam.money.length > 0 && <Money money={exam.money} />}
        {exam.misunderstanding !== undefined && (
          <p class="way-out">
            <b>Likely misunderstanding:</b> <Prose text={exam.misunderstanding} />
          </p>
        )}
        <p class="way-out">
          <b>Way out:</b> <Prose text={exam.remedy} />
        </p>
      </div>
      <div class="across">
        {exam.others.length > 0 && (
          <ul class="also">
            {exam.others.map((other, index) => (
              <li key={index}>
                <Prose text={other} />
              </li>
            ))}
          </ul>
        )}
        <details>
          <summary>The merchant and the service side by side</summary>
          <pre class="columns" tabIndex={0} aria-label="The merchant and the service side by side">
            {exam.timeline}
          </pre>
        </details>
        {replay !== undefined && <Command command={replay} />}
      </div>
    </div>
  );
}

function Command({ command }: { readonly command: string }) {
  return (
    <p class="command">
      Play it again: <code>{command}</code>
    </p>
  );
}

function Figures({ run }: { readonly run: ReportedRun }) {
  const { rows, exam } = run;
  // An exam tells the money of each order.
  const sums = exam?.money === undefined ? sumsOf(run) : [];
  const calls = rows.filter(({ kind }) => kind === "request");
  const refused = calls.filter(({ tone }) => tone === "bad").length;
  const deliveries = rows.filter(({ kind }) => kind === "delivery");
  const missed = deliveries.filter(({ tone }) => tone === "bad").length;
  const length = Date.parse(run.now ?? "") - Date.parse(rows[0]?.at ?? "");
  return (
    <dl class="figures">
      {sums.map(({ tone, title, texts }) => (
        <div key={title} class={`money tone-${texts.length === 0 ? "plain" : tone}`}>
          <dt>{title}</dt>
          <dd>{texts.length === 0 ? money({ amount: 0, currency: DEFAULT_CURRENCY }) : texts.join(" + ")}</dd>
        </div>
      ))}
      <Figure title="Calls" value={calls.length} bad={refused} word="refused" />
      <Figure title="Deliveries" value={deliveries.length} bad={missed} word="not taken" />
      <div>
        <dt>Virtual time</dt>
        <dd>{length > 0 ? durationInWords(length) : "an instant"}</dd>
      </div>
      <div>
        <dt>Pending</dt>
        <dd>{run.pending.length === 0 ? "nothing" : run.pending.length.toLocaleString("en")}</dd>
      </div>
    </dl>
  );
}

function Figure(props: {
  readonly title: string;
  readonly value: number;
  readonly bad: number;
  readonly word: string;
}) {
  const { title, value, bad, word } = props;
  return (
    <div>
      <dt>{title}</dt>
      <dd>
        {value.toLocaleString("en")}
        {bad > 0 && (
          <small class="tone-bad">
            {bad.toLocaleString("en")} {word}
          </small>
        )}
      </dd>
    </div>
  );
}
