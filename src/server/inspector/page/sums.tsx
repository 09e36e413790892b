import type { ReportedRun } from "../../../report/reported-run.ts";
import { sumsOf } from "../../../report/page/words.ts";

/** What became of the money, in one line. */
export function Sums({ run }: { readonly run: ReportedRun }) {
  const sums = sumsOf(run).filter(({ texts }) => texts.length > 0);
  if (sums.length === 0) return null;
  return (
    <ul class="sums" aria-label="The money">
      {sums.map(({ tone, title, texts }) => (
        <li key={title} class={`tone-${tone}`}>
          <b>{texts.join(" + ")}</b> {title.toLowerCase()}
        </li>
      ))}
    </ul>
  );
}
