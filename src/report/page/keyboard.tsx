import type { TargetedKeyboardEvent } from "preact";

function closeByEscape(event: TargetedKeyboardEvent<HTMLDetailsElement>): void {
  if (event.key !== "Escape" || !event.currentTarget.open) return;
  event.preventDefault();
  event.currentTarget.open = false;
}

/** What the keys do, which `keys.ts` handles. */
export function Keyboard({ views }: { readonly views: number }) {
  return (
    <details onKeyDown={closeByEscape}>
      <summary>Keyboard</summary>
      <p>
        <kbd>/</kbd> search · <kbd>↓</kbd> <kbd>↑</kbd> or <kbd>j</kbd> <kbd>k</kbd> next and previous entry ·{" "}
        <kbd>Page ↓</kbd> <kbd>Page ↑</kbd> <kbd>Home</kbd> <kbd>End</kbd> further · <kbd>Enter</kbd> to the details ·{" "}
        <kbd>Esc</kbd> closes them, then clears the filters · <kbd>1</kbd> to <kbd>{views}</kbd> the views ·{" "}
        <kbd>p</kbd> problems only · <kbd>e</kbd> every entry
      </p>
    </details>
  );
}
