import type { ReportedDependent, ReportedReliance } from "../reported-variations.ts";
import { CopiedCommand } from "./copied-command.tsx";
import { NameOfTest } from "./finding.tsx";
import { Prose } from "./prose.tsx";

/** How many tests of a reliance are shown before the reader asks for all. */
const MOST_TESTS = 5;

interface RelianceProps {
  readonly reliance: ReportedReliance;
  /** Its number, from 1. */
  readonly number: number;
  /** A sentence that says why it opens no run; undefined where it does. */
  readonly noRun?: string | undefined;
  /** Whether its run is open below it. */
  readonly isOpen?: boolean;
}

/** What tests rely on, under which other answers they fail, and what to ask the provider. */
export function Reliance({ reliance, number, noRun, isOpen = false }: RelianceProps) {
  const { id, question, sentence, page, document, isAccepted, tests } = reliance;
  const [first] = tests;
  const title = `title-of-${number}`;
  const others = tests.slice(MOST_TESTS);
  return (
    <article class={`verdict of-exam ${isAccepted ? "tone-plain" : "tone-fault"}`} aria-labelledby={title}>
      <div>
        <p class="eyebrow">
          {number} · {id}
          {isAccepted && " · accepted by the baseline"}
        </p>
        <h2 class="sentence" id={title}>
          <Prose text={sentence} />
        </h2>
        <ListOfDependents tests={tests.slice(0, MOST_TESTS)} />
        {others.length > 0 && (
          <details>
            <summary>and {others.length.toLocaleString("en")} more</summary>
            <ListOfDependents tests={others} />
          </details>
        )}
      </div>
      <div>
        <p class="way-out">
          <b>Ask the provider:</b> <Prose text={`${question}?`} />
        </p>
        {document !== undefined && <p class="hint">The document says so in part {document}.</p>}
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

function ListOfDependents({ tests }: { readonly tests: readonly ReportedDependent[] }) {
  return (
    <ul class="harms">
      {tests.map((each) => (
        <li key={each.token}>
          <NameOfTest {...each} />
          <p>
            under <code>{JSON.stringify(each.under)}</code>
          </p>
          <p>{each.what}</p>
        </li>
      ))}
    </ul>
  );
}
