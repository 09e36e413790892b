import { useEffect, useRef } from "preact/hooks";
import type { ReportedRun, ShakeWithRuns } from "../reported-run.ts";
import { titleOfShake } from "../reported-shake.ts";
import { Assumptions } from "./assumptions.tsx";
import { Coverage } from "./coverage.tsx";
import { Explorer } from "./explorer.tsx";
import type { View } from "./explorer.tsx";
import { Keyboard } from "./keyboard.tsx";
import { Pending } from "./pending.tsx";
import { Prose } from "./prose.tsx";
import { Resources } from "./resources.tsx";
import { Sequence } from "./sequence.tsx";
import { isPrinted, lastFinding, openFinding, openRun, run, runIndex, runs, tabs } from "./store.ts";
import type { Tab } from "./store.ts";
import { Finding } from "./finding.tsx";
import { Shake } from "./shake.tsx";
import { Summary } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";
import { momentOf } from "./words.ts";

export function App() {
  const { shake } = runs.value;
  if (shake === undefined) return <OneRun />;
  const finding = openFinding.value;
  return finding === undefined ? <Overview shake={shake} /> : <OneRun shake={shake} finding={finding} />;
}

function Overview({ shake }: { readonly shake: ShakeWithRuns }) {
  const isFailed = shake.findings.some(({ isAccepted }) => !isAccepted);
  // Whoever comes back from a run goes on where they were.
  useEffect(
    () => document.querySelector<HTMLElement>(`[href="#finding-${(lastFinding.value ?? -1) + 1}"]`)?.focus(),
    [],
  );
  return (
    <>
      <header class="top">
        <p class="brand">centavo shake</p>
        <h1>
          <span class={`verdict-word ${isFailed ? "failed" : "passed"}`}>{isFailed ? "failed" : "passed"}</span>{" "}
          {titleOfShake(shake)}
        </h1>
      </header>
      <main>
        <Shake shake={shake} />
      </main>
      <footer>
        <p>
          The suite: <code>{shake.suite}</code> · Centavo {runs.value.version}
        </p>
      </footer>
    </>
  );
}

interface OneRunProps {
  /** The shake, where the run is that of a finding, which is counted from 0. */
  readonly shake?: ShakeWithRuns;
  readonly finding?: number;
}

function OneRun({ shake, finding = 0 }: OneRunProps) {
  const shown = run.value;
  const found = shake?.findings[finding];
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (shake === undefined) return;
    scrollTo(0, 0);
    title.current?.focus();
  }, [shake, finding]);
  const { outcome = "unknown" } = shown;
  return (
    <>
      <header class="top">
        <p class="brand">centavo report</p>
        {shake === undefined ? (
          <Runs />
        ) : (
          <a class="back" href="#findings">
            All findings
          </a>
        )}
        <h1 ref={title} tabIndex={-1}>
          {outcome !== "unknown" && <span class={`verdict-word ${outcome}`}>{outcome}</span>}{" "}
          <Prose text={shown.title} />
        </h1>
      </header>
      <main>
        {shake !== undefined && found !== undefined && (
          <Finding finding={found} tests={shake.tests} number={finding + 1} isOpen />
        )}
        <Summary run={shown} isTold={found !== undefined} />
        {shown.notes.map((note) => (
          <p key={note} class="note">
            <Prose text={note} />
          </p>
        ))}
        <Body />
      </main>
      <Foot />
    </>
  );
}

function Runs() {
  const all = runs.value.runs;
  if (all.length < 2) return null;
  return (
    <label class="runs">
      <span>Story</span>
      <select value={runIndex.value} onChange={({ currentTarget }) => openRun(Number(currentTarget.value))}>
        {all.map(({ title, outcome }, index) => (
          <option key={index} value={index}>
            {outcome === "failed" ? "✗ " : outcome === "passed" ? "✓ " : ""}
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}

function Body() {
  const { rows, coverage } = run.value;
  if (rows.length > 0) return isPrinted.value ? <Printed /> : <Explorer views={viewsOf(run.value)} />;
  if (coverage === undefined) return null;
  return (
    <div class="explorer whole">
      <Coverage />
    </div>
  );
}

function viewsOf({ pending, assumptions, resources }: ReportedRun): Readonly<Record<Tab, View>> {
  return {
    timeline: { draw: () => <Timeline />, isList: true },
    sequence: { draw: () => <Sequence />, isList: true },
    resources: { draw: () => <Resources />, count: resources.length },
    pending: { draw: () => <Pending />, count: pending.length },
    assumptions: { draw: () => <Assumptions />, count: assumptions.length },
    coverage: { draw: () => <Coverage /> },
  };
}

/** On paper, all views follow one another. */
function Printed() {
  return (
    <>
      <h2>Timeline</h2>
      <Timeline />
      <Resources />
      <Pending />
      <h2>Assumptions</h2>
      <Assumptions />
      <h2>Coverage</h2>
      <Coverage />
    </>
  );
}

function Foot() {
  const { rows, seed, digest, now } = run.value;
  if (seed === undefined)
    return (
      <footer>
        <p>Centavo {runs.value.version}</p>
      </footer>
    );
  return (
    <footer>
      <p>
        Seed <code>{seed}</code>
        {digest !== undefined && (
          <>
            {" "}
            · digest <code>{digest.slice(0, 12)}</code>
          </>
        )}
        {now !== undefined && <> · ended {momentOf(now)} UTC</>} · Centavo {runs.value.version}. Amounts, cards and
        customers are simulated; secrets are taken out.
      </p>
      {rows.length > 0 && <Keyboard views={tabs.length} />}
    </footer>
  );
}
