import type { ReportedResource } from "../reported-run.ts";
import { PathDiagram } from "./diagram.tsx";
import { resource, run, selected, tab } from "./store.ts";
import { kindOf, momentOf, money, namesOf, shortId } from "./words.ts";

/** Every resource with a lifecycle, and the path of one of them. */
export function Resources() {
  const { resources } = run.value;
  const index = resource.value ?? 0;
  const shown = resources[index];
  if (shown === undefined) return <p class="nothing">No payment, session, subscription or invoice was made.</p>;
  return (
    <div class="resources">
      <ul class="cards" aria-label="Resources">
        {resources.map((each, place) => (
          <li key={each.id}>
            <button type="button" class="card" aria-pressed={place === index} onClick={() => (resource.value = place)}>
              <span class="card-head">
                <span>{kindOf(each)}</span>
                <span class={`pill tone-${each.tone}`}>{each.status}</span>
              </span>
              {each.price !== undefined && <span class="amount">{money(each.price)}</span>}
              {each.description !== undefined && <span class="for">{each.description}</span>}
              <span class="whose">{[...namesOf(each), shortId(each.id)].join(" · ")}</span>
            </button>
          </li>
        ))}
      </ul>
      <Path resource={shown} />
    </div>
  );
}

function Path({ resource: shown }: { readonly resource: ReportedResource }) {
  const own = namesOf(shown);
  return (
    <section class="path">
      <h2>
        {kindOf(shown)} {own.length > 0 && <span class="own">{own.join(" · ")}</span>} <code>{shown.id}</code>
      </h2>
      <PathDiagram resource={shown} />
      <table class="stacked">
        <caption class="visually-hidden">The moves of {shown.id}</caption>
        <thead>
          <tr>
            <th scope="col">When</th>
            <th scope="col">Input</th>
            <th scope="col">From</th>
            <th scope="col">To</th>
          </tr>
        </thead>
        <tbody>
          {shown.moves.map(({ sequence, at, input, from, to }, index) => (
            <tr key={sequence}>
              <td>{at === shown.moves[index - 1]?.at ? "" : momentOf(at)}</td>
              <td>
                <button type="button" class="link" onClick={() => open(sequence)}>
                  {input}
                </button>
              </td>
              <td>{from ?? "—"}</td>
              <td>{to}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function open(sequence: number): void {
  tab.value = "timeline";
  selected.value = sequence;
}
