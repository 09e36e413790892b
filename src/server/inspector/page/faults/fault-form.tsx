import { signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import { Prose } from "../../../../report/page/prose.tsx";
import { Said, useAction } from "../action.tsx";
import { copied } from "../../../../report/page/clipboard.ts";
import { control } from "../control.ts";
import type { ListedWorld } from "../../../../report/live-run.ts";
import { reasonAgainstChanges } from "../worlds.ts";
import { lineOfCode, valueOf } from "./line-of-code.ts";
import type { Fault } from "./line-of-code.ts";
import type { FaultField, KnownKind } from "./vocabulary.ts";
import { recurrence, sections } from "virtual:fault-vocabulary";

const kinds = sections.flatMap((section) => section.kinds);

/** The kind of the fault that the form plans. */
export const chosenKind = signal(kinds[0]?.kind ?? "");

type Typed = Readonly<Record<string, string>>;

/** Plans a fault, and shows the line of code that plans the same in a test. */
export function FaultForm({ world, onAdd }: { readonly world: ListedWorld; readonly onAdd: () => void }) {
  const known = kinds.find(({ kind }) => kind === chosenKind.value);
  const [typed, setTyped] = useState<Typed>({});
  const action = useAction();
  useEffect(() => setTyped(exampleOf(known)), [known]);
  if (known === undefined) return null;
  const fault = faultOf(known, typed);
  const line = lineOfCode(fault);
  const fieldsOf = (fields: readonly FaultField[]) =>
    fields.map((field) => (
      <Field
        key={`${known.kind} ${field.name}`}
        field={field}
        value={typed[field.name] ?? ""}
        onInput={(value) => setTyped((before) => ({ ...before, [field.name]: value }))}
      />
    ));
  return (
    <form
      class="fault-form"
      aria-labelledby="plan-a-fault"
      onSubmit={(event) => {
        event.preventDefault();
        action.begin(async () => {
          const { data, problem } = await control<{ readonly id: string }>(world.path, "POST /faults", fault);
          if (problem !== undefined) return { problem };
          onAdd();
          return { said: `Planned as ${data.id}.` };
        });
      }}
    >
      <h2 id="plan-a-fault">Plan a fault</h2>
      <label class="field">
        <span>kind</span>
        <select
          id="fault-kind"
          value={known.kind}
          onChange={({ currentTarget }) => (chosenKind.value = currentTarget.value)}
        >
          {sections.map((section) => (
            <optgroup key={section.title} label={section.title}>
              {section.kinds.map(({ kind }) => (
                <option key={kind} value={kind}>
                  {kind}
                </option>
              ))}
            </optgroup>
          ))}
        </select>
      </label>
      <p class="does">
        <Prose text={known.does} />
      </p>
      <div class="fields">{fieldsOf([...known.fields, ...known.selectors])}</div>
      <details>
        <summary>How often and when</summary>
        <div class="fields">{fieldsOf(recurrence)}</div>
      </details>
      <pre class="line-of-code" tabIndex={0} aria-label="The line of code for it">
        {line}
      </pre>
      <div class="form-end">
        <button type="submit" class="primary" disabled={reasonAgainstChanges(world) !== undefined}>
          Plan it
        </button>
        <button
          type="button"
          onClick={() =>
            action.begin(async () =>
              (await copied(line))
                ? { said: "Copied." }
                : { problem: "The browser lets no page copy at this address: select the line, and copy it." },
            )
          }
        >
          Copy the line
        </button>
      </div>
      <Said of={action} />
    </form>
  );
}

interface FieldProps {
  readonly field: FaultField;
  readonly value: string;
  readonly onInput: (value: string) => void;
}

function Field({ field: { name, isRequired, means, choices }, value, onInput }: FieldProps) {
  const list = choices === undefined ? undefined : `choices-${name}`;
  return (
    <label class="field">
      <span>
        {name}
        {isRequired === true && <span class="hint"> required</span>}
      </span>
      <input
        type="text"
        name={name}
        value={value}
        autocomplete="off"
        spellcheck={false}
        {...(list !== undefined && { list })}
        onInput={({ currentTarget }) => onInput(currentTarget.value)}
      />
      {choices !== undefined && (
        <datalist id={list}>
          {choices.map((choice) => (
            <option key={choice} value={choice} />
          ))}
        </datalist>
      )}
      {means !== undefined && means !== "" && <span class="hint">{<Prose text={withoutLinks(means)} />}</span>}
    </label>
  );
}

/** The reference links to its other pages, which the page does not have. */
function withoutLinks(markdown: string): string {
  return markdown.replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, "$1");
}

/** Fills the form as the reference's example does. */
function exampleOf(known: KnownKind | undefined): Typed {
  const given = { ...known?.example, times: 1 };
  return Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, typeof value === "string" ? value : JSON.stringify(value)]),
  );
}

function faultOf({ kind, fields, selectors }: KnownKind, typed: Typed): Fault {
  const given = [...fields, ...selectors, ...recurrence].flatMap(({ name, isText }) => {
    const text = typed[name] ?? "";
    return text === "" ? [] : [[name, valueOf(text, isText)] as const];
  });
  return { kind, ...Object.fromEntries(given) };
}
