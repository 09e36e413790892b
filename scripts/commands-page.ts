import type { Command, Option } from "commander";
import { exitCodesInWords } from "../src/cli/exit-codes.ts";
import { lessonOf } from "../src/cli/help.ts";
import { createProgram } from "../src/cli/program.ts";

/** Renders the page of the commands, from what their help says. */
export function commandsPage(): string {
  const program = createProgram({
    output: { print: () => undefined, printError: () => undefined, colours: false },
    directory: ".",
    exit: () => undefined,
    end: () => undefined,
    stopped: () => new Promise(() => undefined),
  });
  return [
    "# Commands",
    "The program `centavo` comes with the package, and `npx` calls it. Each command says the same with `--help`.",
    "## Exit codes",
    `Every command uses the same: ${exitCodesInWords.replace("Exit codes: ", "")} This is what they mean for each:`,
    exitTable(program),
    "## JSON",
    "With `--json` a command prints one JSON document to standard output, and nothing else there. It begins with the version (`centavo`), `passed` and `exitCode`. Where the command could not run, `problem` says why, and `code` is [the code of the error](errors.md), that of Node, or, for a command line that was mistyped, one such as `commander.unknownOption`. `centavo serve` prints its one line when it has started.",
    "## Colours and progress",
    "A terminal gets colours, and a line that shows the progress of long work. `NO_COLOR=1` and `TERM=dumb` take both away, `FORCE_COLOR=1` gives a pipe colours, and `CI` hides the progress.",
    "## Completion",
    "`centavo completion` prints a script for bash, zsh or fish, with which Tab completes commands, options, their values and files. It calls the `centavo` of your `PATH`. In bash it needs the package `bash-completion`, which most systems have. [Its own section](#centavo-completion) has the line for each shell.",
    ...below(program, "centavo").flatMap(({ command, name }) => section(command, name)),
  ].join("\n\n");
}

interface Named {
  readonly command: Command;
  readonly name: string;
}

/** The commands that the help shows, each before its own. */
function below(command: Command, path: string): Named[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter((each) => each.name() !== "help")
    .flatMap((each) => {
      const name = `${path} ${each.name()}`;
      return [{ command: each, name }].concat(below(each, name));
    });
}

function exitTable(program: Command): string {
  const rows = below(program, "centavo").flatMap(({ command, name }) =>
    (lessonOf(command)?.exitCodes ?? []).map(([code, meaning]) => [`\`${name}\``, code, meaning]),
  );
  return markdownTable(["Command", "Code", "Meaning"], rows);
}

function section(command: Command, name: string): string[] {
  const { notes = [], examples = [], readOn = [] } = lessonOf(command) ?? {};
  const links = readOn
    .filter((page) => page !== "reference/commands.md")
    .map((page) => `[${page.replace(/^.*\//, "")}](../${page})`);
  return [
    `## ${name}`,
    command.description(),
    ...notes,
    `\`\`\`${name === "centavo completion" ? "shell" : "sh"}\n${examples.map(([line, effect]) => `${line} # ${effect}`).join("\n")}\n\`\`\``,
    optionTable(command),
    ...(links.length === 0 ? [] : [`Read on: ${links.join(", ")}.`]),
  ];
}

function optionTable(command: Command): string {
  const helper = command.createHelp();
  const args = helper
    .visibleArguments(command)
    .map((argument) => [`\`${argument.name()}\``, helper.argumentDescription(argument)]);
  const options = helper
    .visibleOptions(command)
    .filter((option) => option.long !== "--help")
    .map((option: Option) => [`\`${option.flags}\``, helper.optionDescription(option)]);
  return markdownTable(["Argument or option", "What it does"], [...args, ...options]);
}

function markdownTable(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [headings, headings.map(() => "---"), ...rows.map((row) => row.map(cell))];
  return lines.map((row) => `| ${row.join(" | ")} |`).join("\n");
}

/** Text that ends no cell, and that no renderer takes for HTML. */
function cell(text: string): string {
  const escaped = text.replaceAll("|", "\\|");
  if (text.startsWith("`")) return escaped;
  // Some renderers make links of addresses, and these lead nowhere.
  return escaped.replaceAll("<", "&lt;").replaceAll(/https?:\/\/[\w./:-]*\w/g, "`$&`");
}
