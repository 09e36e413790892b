import { signal } from "@preact/signals";
import type { ReportedResource } from "../reported-run.ts";
import { PathDiagram } from "./diagram.tsx";
import { isLive, resource, run, selected, tab } from "./store.ts";
import { counted, kindOf, momentOf, money, namesOf, shortId } from "./words.ts";

/** How many resources make a search worth its place, and how many cards are shown at once. */
const MANY = 20;
const MOST_CARDS = 300;

const wanted = signal("");

/** Every resource with a lifecycle, and the path of one of them. While a run grows, the newest comes first. */
export function Resources() {
  const { resources } = run.value;
  const index = resource.value ?? (isLive.value ? resources.length - 1 : 0);
  const shown = resources[index];
  if (shown === undefined) return <p class="nothing">No payment, session, subscription or invoice was made.</p>;
  return (
    <div class="resources">
      <div class="choice">
        {resources.length > MANY && (
          <input
            type="search"
            aria-label="Search the resources"
            placeholder="Search ids, names, statuses"
            value={wanted.value}
            onInput={({ currentTarget }) => (wanted.value = currentTarget.value)}
          />
        )}
        <Cards chosen={index} />
      </div>
      <Path resource={shown} />
    </div>
  );
}

function Cards({ chosen }: { readonly chosen: number }) {
  const words = wanted.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = run.value.resources.flatMap((each, place) => {
    const text = [kindOf(each), each.id, each.status, each.description, ...namesOf(each)].join("\n").toLowerCase();
    return words.every((word) => text.includes(word)) ? [{ each, place }] : [];
  });
  const inOrder = isLive.value ? found.toReversed() : found;
  return (
    <>
      <ul class="cards" aria-label="Resources">
        {inOrder.slice(0, MOST_CARDS).map(({ each, place }) => (
          <li key={each.id}>
            <button type="button" class="card" aria-pressed={place === chosen} onClick={() => (resource.value = place)}>
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
      {found.length === 0 && <p class="nothing">No resource matches.</p>}
      {found.length > MOST_CARDS && <p class="hint">And {counted(found.length - MOST_CARDS, "further one")}.</p>}
    </>
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
