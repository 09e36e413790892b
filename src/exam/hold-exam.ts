import { holdExit } from "../kit/base/runtime/unfinished-work.ts";
import { doing } from "../merchant/process/merchant-process.ts";
import type { Cause } from "../merchant/process/merchant-process.ts";
import type { RunningStory } from "./read-options.ts";

/** What the process was doing when it ended too early. */
const MEANWHILE: Readonly<Record<Cause["kind"], string>> = {
  act: "while the merchant answered a customer",
  event: "while the merchant handled an event",
  job: "while the merchant's job ran",
  open: "while the merchant's program started",
  books: "while the books were read",
};
const WAY_OUT = "An exam that breaks off proves nothing. Throw an error instead of ending the process.";

/**
 * Fails a process that ends in the middle of an exam, such as when the merchant calls `process.exit(0)`.
 * @returns a function to call when the exam is over
 */
export function holdExam(running: RunningStory): () => void {
  return holdExit({ brokenOff: (cause) => `exam: ${cause} before the exam was over${whereIn(running)} ${WAY_OUT}` });
}

function whereIn({ told = [] }: RunningStory): string {
  const kind = doing.value?.cause.kind;
  const story = told.length === 0 ? "" : ` The story so far: ${told.join(" ")}`;
  return `${kind === undefined ? "" : `, ${MEANWHILE[kind]}`}.${story}`;
}
