import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { run } from "../../../../report/page/store.ts";
import { Prose } from "../../../../report/page/prose.tsx";
import { counted } from "../../../../report/page/words.ts";
import { Said, useAction } from "../action.tsx";
import { Reason } from "../reason.tsx";
import { control } from "../control.ts";
import type { ListedWorld } from "../../../../report/live-run.ts";
import { reasonAgainstChanges } from "../worlds.ts";
import { FaultForm, chosenKind } from "./fault-form.tsx";
import { asLiteral } from "../../../../kit/base/errors/literal.ts";
import { lineOfCode } from "./line-of-code.ts";
import type { Fault } from "./line-of-code.ts";
import { sections } from "virtual:fault-vocabulary";

/** A planned fault, as the control API tells it. */
interface PlannedFault {
  readonly id: string;
  readonly fault: Fault;
  readonly occasions: number;
  readonly hits: number;
}

/** The faults that this page has switched off, by the path of their world. */
const switchedOff = signal<Readonly<Record<string, readonly PlannedFault[]>>>({});

/** The planned faults, the form that plans one, and every kind. */
export function Faults({ world }: { readonly world: ListedWorld }) {
  const { planned, problem, read } = usePlanned(world);
  return (
    <div class="faults-view">
      <section class="planned" aria-labelledby="planned-faults">
        <h2 id="planned-faults">Planned</h2>
        <Reason world={world} />
        {problem !== undefined && (
          <p class="problem" role="alert">
            {problem}
          </p>
        )}
        <Planned world={world} planned={planned} onChange={read} />
      </section>
      <FaultForm world={world} onAdd={read} />
      <Kinds />
    </div>
  );
}

/** Reads the planned faults again whenever the journal says something new of a fault. */
function usePlanned({ path }: ListedWorld) {
  const [planned, setPlanned] = useState<readonly PlannedFault[]>([]);
  const [problem, setProblem] = useState<string>();
  const news = `${path} ${run.value.faults.map(({ id, hits }) => `${id} ${hits}`).join()}`;
  const read = async (): Promise<void> => {
    const answered = await control<{ readonly faults: readonly PlannedFault[] }>(path, "GET /faults");
    setProblem(answered.problem);
    if (answered.data !== undefined) setPlanned(answered.data.faults);
  };
  useEffect(() => void read(), [news]);
  return { planned, problem, read: () => void read() };
}

interface PlannedProps {
  readonly world: ListedWorld;
  readonly planned: readonly PlannedFault[];
  readonly onChange: () => void;
}

function Planned({ world, planned, onChange }: PlannedProps) {
  const on = new Set(planned.map(({ id }) => id));
  const off = (switchedOff.value[world.path] ?? []).filter(({ id }) => !on.has(id));
  if (planned.length + off.length === 0)
    return <p class="nothing">No fault is planned. Choose a kind below, and see how your shop takes it.</p>;
  return (
    <ul class="faults">
      {[...planned, ...off].map((each) => (
        <Switch key={each.id} world={world} planned={each} isOn={on.has(each.id)} onChange={onChange} />
      ))}
    </ul>
  );
}

interface SwitchProps {
  readonly world: ListedWorld;
  readonly planned: PlannedFault;
  readonly isOn: boolean;
  readonly onChange: () => void;
}

function Switch({ world, planned, isOn, onChange }: SwitchProps) {
  const action = useAction();
  const { id, fault, hits, occasions } = planned;
  const { kind, ...fields } = fault;
  return (
    <li>
      <button
        type="button"
        role="switch"
        class="switch"
        aria-checked={isOn}
        aria-label={`The fault ${id}`}
        disabled={reasonAgainstChanges(world) !== undefined}
        onClick={() =>
          action.begin(async () => {
            const { problem } = isOn
              ? await control(world.path, `DELETE /faults/${encodeURIComponent(id)}`)
              : await control(world.path, "POST /faults", { ...fault, id });
            if (problem !== undefined) return { problem };
            if (isOn) keepOff(world.path, planned);
            onChange();
            return {};
          })
        }
      />
      <div>
        <p>
          <code>{id}</code> <b>{kind}</b> <code class="fields">{asLiteral(fields)}</code>
        </p>
        <p class="hint">
          {isOn ? (
            <>
              <span class={`pill tone-${hits === 0 ? "pending" : "fault"}`}>
                {hits === 0 ? "has not struck" : `struck ${counted(hits, "time")}`}
              </span>{" "}
              on {counted(occasions, "occasion")}
            </>
          ) : (
            <span class="pill">off</span>
          )}
        </p>
        <Said of={action} />
      </div>
    </li>
  );
}

function keepOff(path: string, planned: PlannedFault): void {
  const others = (switchedOff.value[path] ?? []).filter(({ id }) => id !== planned.id);
  switchedOff.value = { ...switchedOff.value, [path]: [...others, planned] };
}

function Kinds() {
  return (
    <section class="kinds" aria-labelledby="kinds-of-faults">
      <h2 id="kinds-of-faults">Every kind</h2>
      {sections.map(({ title, kinds }) => (
        <table key={title} class="stacked">
          <caption>{title}</caption>
          <thead class="visually-hidden">
            <tr>
              <th scope="col">Kind</th>
              <th scope="col">What it does</th>
            </tr>
          </thead>
          <tbody>
            {kinds.map((known) => (
              <tr key={known.kind} class={known.kind === chosenKind.value ? "chosen" : ""}>
                <td>
                  <button
                    type="button"
                    class="link"
                    title={lineOfCode({ kind: known.kind, ...known.example })}
                    onClick={() => {
                      chosenKind.value = known.kind;
                      document.querySelector<HTMLElement>("#fault-kind")?.focus();
                    }}
                  >
                    {known.kind}
                  </button>
                </td>
                <td>
                  <Prose text={known.does} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
    </section>
  );
}
