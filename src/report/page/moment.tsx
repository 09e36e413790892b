import { durationInWords, momentOf } from "./words.ts";

/** The time of the rows below, unless the row before has the same. */
export function Moment({ at, before }: { readonly at: string; readonly before?: string | undefined }) {
  if (at === before) return null;
  const since = before === undefined ? 0 : Date.parse(at) - Date.parse(before);
  return (
    <p class="moment">
      <time dateTime={at}>{momentOf(at)}</time>
      {since > 0 && ` ${durationInWords(since)} later`}
    </p>
  );
}
