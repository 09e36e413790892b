import type { Engine } from "../kit/engine/engine.ts";
import type { InputNoteKind, VolatileOf } from "../kit/engine/journal-entries.ts";
import { journalDetails } from "../kit/engine/journal-shapes.ts";
import { readPart } from "../kit/base/errors/english.ts";
import type { Redacting } from "../kit/base/errors/english.ts";
import { unknownName } from "../kit/base/errors/known-names.ts";

const kinds = ["customer", "hostile", "warning", "failure"] as const satisfies readonly InputNoteKind[];

/** A note of a recording, which may come from a file. */
interface RecordedNote {
  readonly entry: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly volatile?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * Returns which field of a note is wrong and why, or undefined for a valid note.
 * @param place the path of the note in its recording
 */
export function problemOf({ entry, details }: RecordedNote, place: string, redaction: Redacting): string | undefined {
  if (!isInputNote(entry)) return unknownName(`${place}.entry`, entry, kinds);
  return readPart(journalDetails()[entry], details, redaction, `${place}.details`).complaint;
}

/** Writes a recorded note into the journal again. `problemOf` has checked it. */
export function noteRecorded(engine: Engine, { entry, details, volatile }: RecordedNote): void {
  const kind = entry as InputNoteKind;
  // Pass the details on unchanged, because the order of their fields is part of the digest.
  engine.noteInput(kind, details, volatile as VolatileOf<InputNoteKind> | undefined);
}

function isInputNote(entry: string): entry is InputNoteKind {
  return kinds.some((kind) => kind === entry);
}
