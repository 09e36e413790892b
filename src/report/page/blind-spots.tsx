import type { ReportedBlindSpot, ReportedShake } from "../reported-shake.ts";
import { CopiedCommand } from "./copied-command.tsx";
import { NameOfTest } from "./finding.tsx";
import { Prose } from "./prose.tsx";
import { Section } from "./section.tsx";
import { isPrinted } from "./store.ts";
import { counted } from "./words.ts";

/** How many blind spots are shown before the reader asks for all. */
const MOST_SPOTS = 10;

/** What no test noticed, the dearest first, each with the lines that close it. */
export function BlindSpots({
  blindSpots: { open, closed },
}: {
  readonly blindSpots: NonNullable<ReportedShake["blindSpots"]>;
}) {
  const others = open.slice(MOST_SPOTS);
  return (
    <Section title="Blind spots" id="blind-spots">
      <p class="told">
        {open.length === 0 ? "No blind spot was found" : `No test notices ${counted(open.length, "change")}`}, and{" "}
        {counted(closed, "place")} {closed === 1 ? "is" : "are"} guarded by a test.
      </p>
      <Spots spots={open.slice(0, MOST_SPOTS)} />
      {others.length > 0 && (
        <details open={isPrinted.value}>
          <summary>and {counted(others.length, "more blind spot")}</summary>
          <Spots spots={others} />
        </details>
      )}
    </Section>
  );
}

function Spots({ spots }: { readonly spots: readonly ReportedBlindSpot[] }) {
  return (
    <ul class="harms">
      {spots.map((spot, index) => (
        <li key={index} class="blind-spot">
          <h3>
            <Prose text={spot.sentence} />
            {spot.isAccepted && " Accepted by the baseline."}
          </h3>
          {spot.at !== undefined && (
            <p>
              <code>{spot.at}</code>
            </p>
          )}
          <details open={isPrinted.value}>
            <summary>{counted(spot.tests.length, "test")} stayed green</summary>
            <ul class="tests">
              {spot.tests.map((each) => (
                <li key={each.token}>
                  <NameOfTest {...each} />
                </li>
              ))}
            </ul>
          </details>
          <p class="why">These lines close it:</p>
          <pre tabIndex={0} aria-label={`The lines that close it: ${spot.sentence}`}>
            {spot.lines.join("\n")}
          </pre>
          {spot.tests[0] !== undefined && <CopiedCommand title="Run it alone" command={spot.tests[0].command} />}
        </li>
      ))}
    </ul>
  );
}
