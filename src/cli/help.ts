import { styleText } from "node:util";
import { Help } from "commander";
import type { Command } from "commander";

/** What the help of a command teaches beside its options. The page of the commands is written from it, too. */
export interface Lesson {
  /** Paragraphs on what the options do not tell, if there are any. */
  readonly notes?: readonly string[];
  /** Commands to copy, each with what it does. */
  readonly examples: readonly (readonly [command: string, effect: string])[];
  /** What each exit code means, in order. */
  readonly exitCodes: readonly (readonly [code: string, meaning: string])[];
  /** The pages to read on, below `docs` of the package. */
  readonly readOn: readonly string[];
}

/** The exit codes of a command that a signal has ended. */
export const interrupted = ["128 + signal", "interrupted: 130 by Ctrl+C, 143 by SIGTERM"] as const;

const lessons = new WeakMap<Command, Lesson>();

/** Adds a lesson to the help of a command. */
export function teach(command: Command, lesson: Lesson): Command {
  lessons.set(command, lesson);
  return command;
}

/** Returns the lesson of a command; undefined if it has none. */
export function lessonOf(command: Command): Lesson | undefined {
  return lessons.get(command);
}

/** Writes the help of a command: its usage, what it does, its options, then its lesson. Commander removes the styles from what is no terminal. */
export function formatHelp(command: Command, helper: Help): string {
  const usual = Help.prototype.formatHelp.call(helper, command, helper);
  const lesson = lessonOf(command);
  if (lesson === undefined) return usual;
  const { notes = [], examples, exitCodes, readOn } = lesson;
  const width = helper.helpWidth ?? 80;
  const wrapped = (text: string, indent: number): string =>
    helper.boxWrap(text, Math.max(width - indent, 40)).replaceAll(/^(?=.)/gm, " ".repeat(indent));
  const longest = Math.max(...exitCodes.map(([code]) => code.length));
  return [
    usual.trimEnd(),
    "",
    ...notes.flatMap((note) => [wrapped(note, 0), ""]),
    title("Examples:"),
    ...examples.flatMap(([line, effect]) => [`  $ ${line}`, wrapped(effect, 6)]),
    "",
    title("Exit codes:"),
    ...exitCodes.map(([code, meaning]) => `  ${code.padEnd(longest)}  ${wrapped(meaning, longest + 4).trimStart()}`),
    "",
    `${title("Read on:")} ${readOn.map((page) => `docs/${page}`).join(", ")}, in the package`,
    "",
  ].join("\n");
}

/** The style of a heading. */
export function title(text: string): string {
  return styleText("bold", text, { validateStream: false });
}
