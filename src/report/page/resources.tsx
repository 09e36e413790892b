import type { ReportedResource } from "../reported-run.ts";
import { PathDiagram } from "./diagram.tsx";
import { resource, run, selected, tab } from "./store.ts";
import { momentOf, money, shortId } from "./words.ts";

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
                <span>{each.machine.replaceAll("_", " ")}</span>
                <span class={`pill tone-${each.tone}`}>{each.status}</span>
              </span>
              <span class="amount">{each.price === undefined ? shortId(each.id) : money(each.price)}</span>
              <span class="id">{each.description ?? shortId(each.id)}</span>
            </button>
          </li>
        ))}
      </ul>
      <Path resource={shown} />
    </div>
  );
}

function Path({ resource: shown }: { readonly resource: ReportedResource }) {
  return (
    <section class="path">
      <h2>
        {shown.machine.replaceAll("_", " ")} <code>{shown.id}</code>
      </h2>
      <PathDiagram resource={shown} />
      <table>
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
          {shown.moves.map(({ sequence, at, input, from, to }) => (
            <tr key={sequence}>
              <td>
                <button type="button" class="link" onClick={() => open(sequence)}>
                  {momentOf(at).join(" ")}
                </button>
              </td>
              <td>{input}</td>
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
