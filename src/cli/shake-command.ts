import { Option } from "commander";
import type { Command } from "commander";
import { count, names, seconds } from "./arguments.ts";
import { interrupted, teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";
import type { ShakeCommandOptions } from "./shake.ts";

/** Adds `centavo shake`. Its code is loaded only when it runs, so that other commands start faster. */
export function addShakeCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("shake")
    .usage("[options] -- <command of the suite>")
    .summary("run a test suite again and again, each time with one thing going wrong in each test")
    .description(
      "Run a test suite as it is, and again and again, each time with one thing going wrong in each test: an answer is lost, an event comes twice, a token expires. It lists what the tests do not bear, and what it costs. A test takes part if it gets its simulator from withSimulator, simulated or centavo/playwright, or creates it after a set-up file has imported centavo/shake.",
    )
    .argument("[command...]", "the command that runs the suite, behind two dashes, such as npx vitest run")
    // So that the options of a command without dashes before it are its own.
    .passThroughOptions()
    .optionsGroup("What goes wrong:")
    .option("--only <kinds>", "make only these kinds of trouble, such as lost-answers,events-twice; repeatable", names)
    .option("--max-runs <count>", "run the suite at most so many times after the first", count)
    .option(
      "--seconds <seconds>",
      "take no longer than this: begin no run that would probably end later, and end one that does",
      seconds,
    )
    .option("--jobs <count>", "make so many runs at once; 1 by default, because tests share ports and databases", count)
    .option("--replay <token>", "make only the trouble of this token, and show what the suite prints")
    .option(
      "--vary",
      "let nothing go wrong, but run the suite under each other answer to each open question that it rests on, and list what its tests rely on; --only then takes ids of assumptions",
    )
    .option("--blind-spots", "also let the service say something else than it knows, and list what no test notices")
    .optionsGroup("What counts:")
    .option("--baseline <file>", "accept the findings in this file, which --json wrote, and fail on new ones alone")
    .addOption(
      new Option(
        "--fail-on <what>",
        "which findings fail; tests by default, and with --vary never, or reliances where --baseline accepts the others",
      ).choices(["money", "tests", "blind-spots", "reliances", "never"]),
    )
    .optionsGroup("What is written:")
    .option("--json", "print the result as one JSON document, instead of words")
    .option("--html <file>", "also write it as a page, on which each finding opens the report of its run")
    .action(async (words: string[], options: ShakeCommandOptions) => {
      if (words.length === 0)
        command.error("error: missing required argument 'command', such as npx centavo shake -- npx vitest run");
      const { shakeSuite } = await import("./shake.ts");
      context.end(await shakeSuite(words, options, context.output, context.directory, () => context.stopped()));
    });
  teach(command, {
    notes: ["Everything from the first word that is no option is the command of the suite, with its own options."],
    examples: [
      ["npx centavo shake -- npx vitest run test/payments", "shakes the tests of one folder"],
      ["npx centavo shake --seconds 300 --fail-on money -- npx jest", "takes five minutes, and fails on money alone"],
      [
        "npx centavo shake --vary -- npx vitest run",
        "lists which tests rely on answers that the service's document leaves open",
      ],
      ["npx centavo shake --replay TOKEN -- npx vitest run", "makes one trouble again, while you change the shop"],
    ],
    exitCodes: [
      ["0", "there is no finding, or every finding is accepted"],
      ["1", "there is a finding that fails"],
      ["2", "the suite cannot be shaken, or an option is wrong"],
      interrupted,
    ],
    readOn: ["guide/shake.md", "guide/exam.md", "guide/faults.md"],
  });
}
