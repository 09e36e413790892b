import { useEffect, useState } from "preact/hooks";
import { run } from "../../../report/page/store.ts";
import { durationInWords, momentOf, money } from "../../../report/page/words.ts";
import type { OpenPage } from "../../control/open-pages.ts";
import { control } from "./control.ts";
import type { ListedWorld } from "../../../report/live-run.ts";

/** The open sessions and challenges, with links to their pages. */
export function Customer({ world }: { readonly world: ListedWorld }) {
  const [pages, setPages] = useState<readonly OpenPage[]>();
  const [problem, setProblem] = useState<string>();
  const { resources, now = world.now } = run.value;
  const read = async (): Promise<void> => {
    const answered = await control<{ readonly pages: readonly OpenPage[] }>(world.path, "GET /customer/pages");
    setProblem(answered.problem);
    if (answered.data !== undefined) setPages(answered.data.pages);
  };
  useEffect(() => void read(), [world.path, resources]);
  if (problem !== undefined)
    return (
      <p class="problem" role="alert">
        {problem}
      </p>
    );
  if (pages === undefined) return <p class="nothing">Looking for open pages …</p>;
  if (pages.length === 0)
    return (
      <p class="nothing">
        No page waits for a customer. A checkout session that is open and a payment that asks for 3-D Secure would stand
        here, each with a link to its page.
      </p>
    );
  return (
    <ul class="open-pages" aria-label="Open pages">
      {pages.map((page) => (
        <li key={page.path} class="open-page">
          <p class="card-head">
            <span>{page.kind}</span>
            <span class="pill tone-pending">{page.status}</span>
          </p>
          <p class="amount">{money(page)}</p>
          <p class="for">{page.description}</p>
          <p class="whose">{[page.externalId, page.customer, page.id].filter(Boolean).join(" · ")}</p>
          {page.expiresAt !== undefined && (
            <p class="hint">
              expires {momentOf(page.expiresAt)}, {inWords(Date.parse(page.expiresAt) - Date.parse(now))}
            </p>
          )}
          <a href={world.path + page.path} target="_blank" rel="noopener noreferrer">
            Open the page
          </a>
        </li>
      ))}
    </ul>
  );
}

function inWords(wait: number): string {
  return wait <= 0 ? "now" : `in ${durationInWords(wait)}`;
}
