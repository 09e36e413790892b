import { readdirSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { RootCommand } from "@bomb.sh/tab";
import type { Command as Described, Complete } from "@bomb.sh/tab";
import type { Argument, Command, Option } from "commander";
import type { Shell } from "./completion-command.ts";

/** Returns the values that a word may become, for the word so far. */
type Offer = (word: string) => readonly string[];

/** What commands read whose argument is called `what`. */
const wantedBy: Readonly<Record<string, RegExp>> = { coverage: /\.jsonl$/, exam: /\.exam\.[cm]?[jt]s$/ };

/** Prints the script of a shell, which calls `centavo complete` at each press of Tab. */
export function printCompletionScript(shell: Shell): void {
  new RootCommand().setup("centavo", "centavo", shell);
}

/**
 * Prints what the last of some words may become, in the form that the scripts read.
 * @param words the words after `centavo`, up to the cursor
 * @param directory the folder against which files are offered
 */
export async function complete(program: Command, words: readonly string[], directory: string): Promise<void> {
  const root = new RootCommand();
  const offers = await offersFor(words, directory);
  const last = words.at(-1) ?? "";
  // A value may stand behind its option: --way=memory.
  const word = last.startsWith("--") ? last.slice(last.indexOf("=") + 1) : last;
  const describe = (command: Command, described: Described): void => {
    for (const option of command.createHelp().visibleOptions(command)) {
      const name = (option.long ?? option.short ?? "").replace(/^-+/, "");
      const handler = takesValue(option) ? handlerOf(option, option.flags, offers, word) : undefined;
      if (handler === undefined) described.option(name, option.description);
      else described.option(name, option.description, handler);
    }
    for (const argument of command.registeredArguments)
      described.argument(argument.name(), handlerOf(argument, `<${argument.name()}>`, offers, word), argument.variadic);
  };
  const describeBelow = (command: Command, path: readonly string[]): void => {
    for (const each of command.createHelp().visibleCommands(command)) {
      if (each.name() === "help") continue;
      const names = [...path, each.name()];
      describe(each, root.command(names.join(" "), each.summary()));
      describeBelow(each, names);
    }
  };
  describe(program, root);
  describeBelow(program, []);
  root.parse([...words]);
}

function takesValue(option: Option): boolean {
  return option.required || option.optional;
}

/** Offers the choices of an option or an argument, or what its value is named after, such as `<file>`. */
function handlerOf(
  { argChoices }: Pick<Option | Argument, "argChoices">,
  written: string,
  offers: Readonly<Record<string, Offer>>,
  word: string,
): (this: unknown, offer: Complete) => void {
  const [, name = ""] = /[<[]([a-z]+)/.exec(written) ?? [];
  const offered = argChoices ?? offers[name]?.(word) ?? [];
  return (offer) => {
    for (const value of offered) offer(value, "");
  };
}

/** What values may be, by the name that the help gives them. */
async function offersFor([command]: readonly string[], directory: string): Promise<Readonly<Record<string, Offer>>> {
  const files: Offer = (word) => filesFor(word, directory, /./);
  const kinds = command === "coverage" ? (await import("../report/coverage/scope.ts")).resources : [];
  const events = command === "trigger" ? Object.keys((await import("../fixtures/event.ts")).eventSubjects) : [];
  return {
    clock: () => ["real", "real:60", "auto", "manual"],
    event: () => events,
    file: files,
    folder: (word) => filesFor(word, directory, undefined),
    kinds: () => kinds,
    recording: (word) => filesFor(word, directory, /\.json$/),
    // Recorded traffic, of `centavo calibrate`.
    recordings: (word) => filesFor(word, directory, /\.(?:har|json)$/),
    reports: (word) => filesFor(word, directory, /\.json$/),
    what: (word) => filesFor(word, directory, wantedBy[command ?? ""] ?? /\.[cm]?[jt]s$/),
  };
}

/**
 * Lists the folders and the files that begin with a word. What is in a folder is listed with it where nothing else begins so, because a shell
 * ends a word that can become only one thing.
 * @param wanted matches the names of files; undefined for folders alone
 */
function filesFor(word: string, directory: string, wanted: RegExp | undefined): readonly string[] {
  const folder = word.endsWith("/") ? word : word.includes("/") ? `${dirname(word)}/` : "";
  const start = word.slice(folder.length);
  const found = entriesOf(resolve(directory, folder)).filter(
    (entry) =>
      entry.name.startsWith(start) &&
      (start.startsWith(".") || !entry.name.startsWith(".")) &&
      entry.name !== "node_modules" &&
      (entry.isDirectory() || (wanted?.test(entry.name) ?? false)),
  );
  const paths = found.map((entry) => `${folder}${entry.name}${entry.isDirectory() ? "/" : ""}`);
  const [only] = paths;
  return paths.length === 1 && only?.endsWith("/") ? [only, ...filesFor(only, directory, wanted)] : paths;
}

function entriesOf(folder: string) {
  try {
    return readdirSync(join(folder, "."), { withFileTypes: true });
  } catch {
    return [];
  }
}
