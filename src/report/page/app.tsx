import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";
import type { ReportedRun, ShakeWithRuns, VariationsWithRuns } from "../reported-run.ts";
import { titleOfShake } from "../reported-shake.ts";
import { titleOfVariations } from "../reported-variations.ts";
import { Assumptions } from "./assumptions.tsx";
import { Coverage } from "./coverage.tsx";
import { Explorer } from "./explorer.tsx";
import type { View } from "./explorer.tsx";
import { Keyboard } from "./keyboard.tsx";
import { Pending } from "./pending.tsx";
import { Prose } from "./prose.tsx";
import { Reliance } from "./reliance.tsx";
import { Resources } from "./resources.tsx";
import { Sequence } from "./sequence.tsx";
import { isPrinted, lastFinding, openFinding, openRun, run, runIndex, runs, tabs } from "./store.ts";
import type { Tab } from "./store.ts";
import { Finding } from "./finding.tsx";
import { Shake } from "./shake.tsx";
import { Summary } from "./summary.tsx";
import { Timeline } from "./timeline.tsx";
import { Variations } from "./variations.tsx";
import { momentOf } from "./words.ts";

export function App() {
  const { shake, variations } = runs.value;
  const finding = openFinding.value;
  if (variations !== undefined) {
    const found = finding === undefined ? undefined : variations.reliances[finding];
    if (finding === undefined || found === undefined) return <OverviewOfVariations variations={variations} />;
    return <OneRun from={variations} above={<Reliance reliance={found} number={finding + 1} isOpen />} />;
  }
  if (shake === undefined) return <OneRun />;
  const found = finding === undefined ? undefined : shake.findings[finding];
  if (finding === undefined || found === undefined) return <Overview shake={shake} />;
  return <OneRun from={shake} above={<Finding finding={found} tests={shake.tests} number={finding + 1} isOpen />} />;
}

function OverviewOfVariations({ variations }: { readonly variations: VariationsWithRuns }) {
  useReturnToFinding();
  return (
    <>
      <header class="top">
        <p class="brand">centavo shake --vary</p>
        <h1>{titleOfVariations(variations)}</h1>
      </header>
      <main>
        <Variations variations={variations} />
      </main>
      <Suite suite={variations.suite} />
    </>
  );
}

/** Whoever comes back from a run goes on where they were. */
function useReturnToFinding(): void {
  useEffect(
    () => document.querySelector<HTMLElement>(`[href="#finding-${(lastFinding.value ?? -1) + 1}"]`)?.focus(),
    [],
  );
}

function Suite({ suite }: { readonly suite: string }) {
  return (
    <footer>
      <p>
        The suite: <code>{suite}</code> · Centavo {runs.value.version}
      </p>
    </footer>
  );
}

function Overview({ shake }: { readonly shake: ShakeWithRuns }) {
  const isFailed = shake.findings.some(({ isAccepted }) => !isAccepted);
  useReturnToFinding();
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
      <Suite suite={shake.suite} />
    </>
  );
}

interface OneRunProps {
  /** What the run was opened from, where it is that of a finding. */
  readonly from?: ShakeWithRuns | VariationsWithRuns;
  /** The finding, which stands above its run. */
  readonly above?: ComponentChildren;
}

function OneRun({ from, above }: OneRunProps) {
  const shown = run.value;
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (from === undefined) return;
    scrollTo(0, 0);
    title.current?.focus();
  }, [from, openFinding.value]);
  const { outcome = "unknown" } = shown;
  return (
    <>
      <header class="top">
        <p class="brand">centavo report</p>
        {from === undefined ? (
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
        {above}
        <Summary run={shown} isTold={above !== undefined} />
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
