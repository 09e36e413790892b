import { pageOf } from "../../../report/causes/pages.ts";
import type { ReportedRun } from "../../../report/reported-run.ts";
import { Prose } from "../../../report/page/prose.tsx";
import { counted } from "../../../report/page/words.ts";

/** The likely causes of what went wrong: the first in one line, and the rest on demand. */
export function Causes({ run: { causes } }: { readonly run: ReportedRun }) {
  const [first, ...others] = causes;
  if (first === undefined) return null;
  return (
    <details class="causes">
      <summary>
        <span class="eyebrow">Worth a look</span>{" "}
        <span class="cause">
          <Prose text={asSentence(first.sentence)} />
        </span>{" "}
        {others.length > 0 && <span class="hint">and {counted(others.length, "other")}</span>}
      </summary>
      <dl>
        {causes.map(({ name, sentence, wayOut }) => (
          <div key={name + sentence}>
            <dt>
              <Prose text={asSentence(sentence)} />
            </dt>
            <dd>
              <b>Way out:</b> <Prose text={wayOut} />. <Page of={name} />
            </dd>
          </div>
        ))}
      </dl>
    </details>
  );
}

function asSentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}

/** Where the documentation says more. Its path breaks between its folders. */
function Page({ of: name }: { readonly of: string }) {
  return (
    <span class="hint">
      {pageOf(name)
        .split(/(?<=\/)/)
        .flatMap((folder, index) => (index === 0 ? [folder] : [<wbr key={index} />, folder]))}
    </span>
  );
}
