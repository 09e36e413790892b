import { elementScroll, observeElementOffset, observeElementRect, Virtualizer } from "@tanstack/virtual-core";
import type { ComponentChildren } from "preact";
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from "preact/hooks";
import type { Row } from "../reported-run.ts";
import { filter, isFollowing, isLive, isPrinted, moveSelection, run, selected, visible } from "./store.ts";

/** How many rows beyond the visible ones are rendered, so that scrolling shows no gaps. */
const OVERSCAN = 12;
const PAGE = 12;

interface RowsProps {
  readonly name: string;
  readonly height: number;
  readonly draw: (row: Row, before: Row | undefined) => ComponentChildren;
}

/** The rows that the filters leave. Only visible rows are rendered, except on paper. */
export function Rows({ name, height, draw }: RowsProps) {
  const list = useRef<HTMLDivElement>(null);
  const rows = visible.value;
  const [, redraw] = useReducer<number, void>((count) => count + 1, 0);
  const settings = {
    count: rows.length,
    getScrollElement: () => list.current,
    estimateSize: () => height,
    getItemKey: (index: number) => rows[index]?.sequence ?? index,
    measureElement: (element: Element) => (element as HTMLElement).offsetHeight,
    overscan: OVERSCAN,
    scrollToFn: elementScroll,
    observeElementRect,
    observeElementOffset,
    onChange: () => redraw(),
  };
  const [virtualizer] = useState(() => new Virtualizer<HTMLDivElement, HTMLElement>(settings));
  virtualizer.setOptions({ ...virtualizer.options, ...settings });
  useEffect(() => virtualizer._didMount(), [virtualizer]);
  useLayoutEffect(() => virtualizer._willUpdate());
  const chosen = selected.value;
  const wanted = filter.value;
  useEffect(() => {
    const place = rows.findIndex(({ sequence }) => sequence === chosen);
    const { startIndex = 0, endIndex = 0 } = virtualizer.range ?? {};
    const isNear = place >= startIndex - 1 && place <= endIndex + 1;
    if (place !== -1) virtualizer.scrollToIndex(place, { align: isNear ? "auto" : "center" });
    // The rows that a growing run adds leave the reader where they are.
  }, [chosen, wanted, virtualizer]);
  const size = virtualizer.getTotalSize();
  useLayoutEffect(() => {
    if (isLive.value && isFollowing.value && list.current !== null) list.current.scrollTop = list.current.scrollHeight;
  }, [rows.length, size, isFollowing.value]);
  const inView = isPrinted.value
    ? rows.map((_, index) => ({ index, start: 0 }))
    : virtualizer.getVirtualItems().map(({ index, start }) => ({ index, start }));
  return (
    <div
      ref={list}
      class="rows"
      role="listbox"
      aria-label={name}
      tabIndex={0}
      aria-activedescendant={inView.some(({ index }) => rows[index]?.sequence === chosen) ? `row-${chosen}` : undefined}
      onKeyDown={onKeyDown}
      onScroll={isLive.value ? followAtTheEnd : undefined}
    >
      <div class="all-rows" style={isPrinted.value ? {} : { height: `${size}px` }} role="presentation">
        {inView.map(({ index, start }) => {
          const row = rows[index];
          if (row === undefined) return undefined;
          const { sequence } = row;
          return (
            <div
              key={sequence}
              id={`row-${sequence}`}
              ref={(element) => virtualizer.measureElement(element)}
              data-index={index}
              class={`row tone-${row.tone}`}
              style={isPrinted.value ? {} : { transform: `translateY(${start}px)` }}
              role="option"
              aria-selected={sequence === chosen}
              aria-setsize={rows.length}
              aria-posinset={index + 1}
              onClick={() => (selected.value = sequence)}
            >
              {draw(row, rows[index - 1])}
            </div>
          );
        })}
      </div>
      {rows.length === 0 && (
        <p class="nothing">
          {run.value.rows.length === 0
            ? "Nothing has happened yet."
            : "Nothing matches. Clear the search and the filters."}
        </p>
      )}
    </div>
  );
}

/** How near to the end a reader is at the end, in pixels. */
const NEAR = 24;

/** A reader who has scrolled to the end follows the newest row; one who has scrolled elsewhere stays there. */
function followAtTheEnd({
  currentTarget: { scrollTop, scrollHeight, clientHeight },
}: {
  currentTarget: Element;
}): void {
  isFollowing.value = scrollHeight - scrollTop - clientHeight < NEAR;
}

const STEPS: Readonly<Record<string, number>> = {
  ArrowDown: 1,
  j: 1,
  ArrowUp: -1,
  k: -1,
  PageDown: PAGE,
  PageUp: -PAGE,
  Home: -Infinity,
  End: Infinity,
};

function onKeyDown(event: KeyboardEvent): void {
  if (event.key === "Enter") document.querySelector<HTMLElement>("#details")?.focus();
  const step = STEPS[event.key];
  if (step === undefined || event.metaKey || event.ctrlKey || event.altKey) return;
  event.preventDefault();
  moveSelection(step);
}
