import { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import type { DetailsOf, InputNoteKind, VolatileOf } from "../engine/journal-entries.ts";

/** The details of each kind of note that comes from outside the world. Further fields are kept. */
const shapes: { readonly [Kind in InputNoteKind]: z.ZodType<DetailsOf<Kind>> } = {
  customer: z.looseObject({
    act: z.string(),
    at: z.string().exactOptional(),
    to: z.string().exactOptional(),
    status: z.int().exactOptional(),
  }),
  hostile: z.looseObject({
    name: z.string(),
    method: z.string(),
    url: z.string(),
    status: z.int().exactOptional(),
    failure: z.string().exactOptional(),
  }),
  warning: z.looseObject({ message: z.string() }),
  failure: z.looseObject({ message: z.string(), timer: z.string().exactOptional() }),
};

/** A note of a recording, which may come from a file. */
interface RecordedNote {
  readonly entry: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly volatile?: Readonly<Record<string, unknown>> | undefined;
}

/** Returns which field of a note is wrong and why, or undefined for a valid note. */
export function problemOf({ entry, details }: RecordedNote): string | undefined {
  if (!isInputNote(entry))
    return `entry: a recording has no notes of "${entry}", only of ${Object.keys(shapes).join(", ")}`;
  const issue = shapes[entry].safeParse(details).error?.issues[0];
  return issue && `${["details", ...issue.path].join(".")}: ${issue.message}`;
}

/** Writes a recorded note into the journal again. `problemOf` has checked it. */
export function noteRecorded(engine: Engine, { entry, details, volatile }: RecordedNote): void {
  const kind = entry as InputNoteKind;
  // Pass the details on unchanged, because the order of their fields is part of the digest.
  engine.noteInput(kind, details as DetailsOf<InputNoteKind>, volatile as VolatileOf<InputNoteKind> | undefined);
}

function isInputNote(entry: string): entry is InputNoteKind {
  return Object.hasOwn(shapes, entry);
}
