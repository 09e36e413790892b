import { useEffect, useState } from "preact/hooks";
import type { ReportedRun, Row } from "../../../../report/reported-run.ts";
import { run } from "../../../../report/page/store.ts";
import { counted, momentOf } from "../../../../report/page/words.ts";
import { Said, useAction } from "../action.tsx";
import { forkOf } from "../fork.ts";
import { followRun } from "../live-run.ts";
import type { LiveRun } from "../live-run.ts";
import { besidePath, worlds } from "../worlds.ts";
import type { ListedWorld } from "../../../../report/live-run.ts";
import { alignedRuns, differencesOf } from "./aligned.ts";
import type { Pair } from "./aligned.ts";

/** Two worlds side by side, with what differs marked. */
export function Compare({ world }: { readonly world: ListedWorld }) {
  const others = (worlds.value ?? []).filter(({ path }) => path !== world.path);
  const beside = others.find(({ path }) => path === besidePath.value);
  const action = useAction();
  return (
    <div class="compare">
      <div class="compare-head">
        <label class="field">
          <span>Beside it</span>
          <select
            value={beside?.path ?? "none"}
            onChange={({ currentTarget: { value } }) => (besidePath.value = value === "none" ? undefined : value)}
          >
            <option value="none">no world</option>
            {others.map(({ path, title }) => (
              <option key={path} value={path}>
                {title}
              </option>
            ))}
          </select>
        </label>
        <button type="button" disabled={world.isGone} onClick={() => action.begin(() => forkOf(world))}>
          Fork this world
        </button>
        <Said of={action} />
      </div>
      {beside === undefined ? (
        <p class="nothing">
          A fork is a copy of this world that goes its own way: fork it, move the clock of one, and see here what
          differs.
        </p>
      ) : (
        <Beside key={beside.path} world={world} beside={beside} />
      )}
    </div>
  );
}

function Beside({ world, beside }: { readonly world: ListedWorld; readonly beside: ListedWorld }) {
  const [other, setOther] = useState<LiveRun>();
  useEffect(() => {
    const live = followRun(beside.path);
    setOther(live);
    return live.close;
  }, [beside.path]);
  if (other?.isKnown.value !== true) return <p class="nothing">Reading {beside.title} …</p>;
  return <SideBySide titles={[world.title, beside.title]} left={run.value} right={other.run.value} />;
}

interface SideBySideProps {
  readonly titles: readonly [string, string];
  readonly left: ReportedRun;
  readonly right: ReportedRun;
}

function SideBySide({ titles, left, right }: SideBySideProps) {
  const differences = differencesOf(left, right);
  const aligned = alignedRuns(left, right);
  return (
    <>
      <table class="differences stacked">
        <caption>
          {differences.length === 0 ? "Both worlds stand alike." : `${counted(differences.length, "thing")} differ.`}
        </caption>
        {differences.length > 0 && (
          <>
            <thead>
              <tr>
                <th scope="col">What</th>
                <th scope="col">{titles[0]}</th>
                <th scope="col">{titles[1]}</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ what, left: own, right: others }) => (
                <tr key={what}>
                  <th scope="row">{what}</th>
                  <td>{own}</td>
                  <td>{others}</td>
                </tr>
              ))}
            </tbody>
          </>
        )}
      </table>
      <p class="hint">
        {aligned.common === 0 ? "No entry in common." : `${counted(aligned.common, "entry")} in common.`}
      </p>
      {aligned.left + aligned.right > 0 && (
        <p class="hint">
          {aligned.left.toLocaleString("en")} and {aligned.right.toLocaleString("en")} more are not shown.
        </p>
      )}
      {aligned.pairs.length > 0 && <Entries titles={titles} pairs={aligned.pairs} />}
    </>
  );
}

function Entries({ titles, pairs }: Pick<SideBySideProps, "titles"> & { readonly pairs: readonly Pair[] }) {
  return (
    <table class="side-by-side">
      <caption class="visually-hidden">What happened afterwards</caption>
      <thead>
        <tr>
          <th scope="col">{titles[0]}</th>
          <th scope="col">{titles[1]}</th>
        </tr>
      </thead>
      <tbody>
        {pairs.map(({ left: own, right: others }, index) => (
          <tr key={index} class={own !== undefined && others !== undefined ? "same" : "differs"}>
            <Entry row={own} />
            <Entry row={others} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Entry({ row }: { readonly row: Row | undefined }) {
  if (row === undefined) return <td class="absent" />;
  return (
    <td class={`tone-${row.tone}`}>
      <span class="hint">{momentOf(row.at)}</span> <span class="who">{row.who}</span>{" "}
      <span class="text">{row.text}</span> {row.result !== undefined && <span class="result">{row.result}</span>}
    </td>
  );
}
