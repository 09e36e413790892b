import { z } from "zod";
import type { Engine } from "../engine/engine.ts";
import type { DetailsOf, InputNoteKind, VolatileOf } from "../engine/journal-entries.ts";

/** What a recording may say of each kind that comes from outside. Further fields are kept as they are. */
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

/** A note as a recording has it, which may come from a file. */
interface RecordedNote {
  readonly entry: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly volatile?: Readonly<Record<string, unknown>> | undefined;
}

/** Says which field of a note is wrong and why; undefined where the note is of a kind that comes from outside, with its details. */
export function problemOf({ entry, details }: RecordedNote): string | undefined {
  if (!isInputNote(entry))
    return `entry: nothing outside a world notes "${entry}", only ${Object.keys(shapes).join(", ")}`;
  const issue = shapes[entry].safeParse(details).error?.issues[0];
  return issue && `${["details", ...issue.path].join(".")}: ${issue.message}`;
}

/** Notes once more what came from outside when the run was recorded; `problemOf` has nothing against it. */
export function noteRecorded(engine: Engine, { entry, details, volatile }: RecordedNote): void {
  const kind = entry as InputNoteKind;
  // As it stands in the recording, because the order of its fields is part of the digest.
  engine.noteInput(kind, details as DetailsOf<InputNoteKind>, volatile as VolatileOf<InputNoteKind> | undefined);
}

function isInputNote(entry: string): entry is InputNoteKind {
  return Object.hasOwn(shapes, entry);
}
