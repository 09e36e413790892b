import type { ReportedRun, Tone } from "../../../report/reported-run.ts";
import { sumsOf } from "../../../report/page/words.ts";

const SIGNS: Partial<Readonly<Record<Tone, string>>> = { good: "✓", pending: "…", bad: "✗" };

/** What became of the money, in one line. */
export function Sums({ run }: { readonly run: ReportedRun }) {
  const sums = sumsOf(run).filter(({ texts }) => texts.length > 0);
  if (sums.length === 0) return null;
  return (
    <ul class="sums" aria-label="The money">
      {sums.map(({ tone, title, texts }) => (
        <li key={title} class={`tone-${tone}`} title={title}>
          <span aria-hidden="true">{SIGNS[tone]}</span> {texts.join(" + ")}
          <span class="visually-hidden"> {title.toLowerCase()}</span>
        </li>
      ))}
    </ul>
  );
}
