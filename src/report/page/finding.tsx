import type { ReportedFinding, ReportedHarm, ShakenTestInWords } from "../reported-shake.ts";
import { CopiedCommand } from "./copied-command.tsx";
import { Prose } from "./prose.tsx";
import { counted } from "./words.ts";

/** How many tests of a finding are shown before the reader asks for all. */
const MOST_TESTS = 5;

const KINDS = { money: "Money", test: "A test fails", conduct: "Conduct" } as const;

interface FindingProps {
  readonly finding: ReportedFinding;
  /** How many tests took part in the shake. */
  readonly tests: number;
  /** Its number, from 1. */
  readonly number: number;
  /** A sentence that says why it opens no run; undefined where it does. */
  readonly noRun?: string | undefined;
  /** Whether its run is open below it. */
  readonly isOpen?: boolean;
}

/** What went wrong, in which tests, what it did to the money, and what to do about it. */
export function Finding({ finding, tests: all, number, noRun, isOpen = false }: FindingProps) {
  const { kind, sentence, at, also, brief, tests, misunderstanding, remedy, page, isAccepted } = finding;
  const [first] = tests;
  const id = `title-of-${number}`;
  return (
    <article class={`verdict of-exam ${isAccepted ? "tone-plain" : "tone-bad"}`} aria-labelledby={id}>
      <div>
        <p class="eyebrow">
          {number} · {KINDS[kind]}
          {isAccepted && " · accepted by the baseline"}
        </p>
        <h2 class="sentence" id={id}>
          <Prose text={sentence} />
        </h2>
        {at !== undefined && (
          <p>
            <code>{at}</code>
          </p>
        )}
        <Also also={also} />
        <p class="what-is-wrong">
          {distinct(tests).length.toLocaleString("en")} of {counted(all, "test")}: {brief}
        </p>
        <Harms tests={distinct(tests)} />
      </div>
      <div>
        <p class="way-out">
          <b>Likely misunderstanding:</b> <Prose text={misunderstanding} />
        </p>
        <p class="way-out">
          <b>Remedy:</b> <Prose text={remedy} />
        </p>
        <p class="hint">{page}</p>
        {first !== undefined && <CopiedCommand title="Run it alone" command={first.command} />}
        {noRun !== undefined && <p class="hint">{noRun}</p>}
        {first !== undefined && noRun === undefined && !isOpen && (
          <p>
            <a class="open-run" href={`#finding-${number}`}>
              Open the run of {first.test}
            </a>
          </p>
        )}
      </div>
    </article>
  );
}

function Also({ also }: { readonly also: readonly string[] }) {
  if (also.length === 0) return null;
  return (
    <details open={also.length <= 2}>
      <summary>{counted(also.length, "other trouble")} did the same</summary>
      <ul class="also">
        {also.map((each) => (
          <li key={each}>
            <Prose text={each} />
          </li>
        ))}
      </ul>
    </details>
  );
}

function Harms({ tests }: { readonly tests: readonly ReportedHarm[] }) {
  const others = tests.slice(MOST_TESTS);
  return (
    <>
      <ListOfHarms tests={tests.slice(0, MOST_TESTS)} />
      {others.length > 0 && (
        <details>
          <summary>and {counted(others.length, "more test")}</summary>
          <ListOfHarms tests={others} />
        </details>
      )}
    </>
  );
}

function ListOfHarms({ tests }: { readonly tests: readonly ReportedHarm[] }) {
  return (
    <ul class="harms">
      {tests.map((each) => (
        <li key={each.token}>
          <NameOfTest {...each} />{" "}
          <span class={`pill ${each.isNoticed ? "tone-bad" : "tone-good"}`}>{each.isNoticed ? "red" : "green"}</span>
          {each.what.map((what, index) => (
            <p key={index}>{what}</p>
          ))}
        </li>
      ))}
    </ul>
  );
}

export function NameOfTest({ test, file }: ShakenTestInWords) {
  return (
    <span class="test">
      {test} {file !== undefined && !test.startsWith(file) && <span class="hint">{file}</span>}
    </span>
  );
}

/** A test stands once, however many troubles do the same in it. */
function distinct(tests: readonly ReportedHarm[]): readonly ReportedHarm[] {
  const names = new Map(tests.toReversed().map((each) => [`${each.file} ${each.test}`, each]));
  return [...names.values()].toReversed();
}
