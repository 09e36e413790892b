import { Option } from "commander";
import type { Command } from "commander";
import { testRunners } from "../exam/test-of-story.ts";
import { count, seconds, seed, shard } from "./arguments.ts";
import { teach } from "./help.ts";
import type { ExamCommandOptions } from "./exam.ts";
import type { ProgramContext } from "./program.ts";

/** Adds `centavo exam` and `centavo exam merge`. Their code is loaded only when they run, so that other commands start faster. */
export function addExamCommand(program: Command, context: ProgramContext): void {
  const { output, directory } = context;
  const exam = program
    .command("exam")
    .summary("search for stories in which a merchant goes wrong, with all cores")
    .description(
      "Search for stories in which a merchant goes wrong, with all cores. An exam file opens your shop; the command plays customers, faults, crashes and late events against it, holds its books to the laws, and prints the shortest story that breaks each.",
    )
    .argument("<what...>", "exam files, and folders of files named like shop.exam.ts")
    .optionsGroup("How long and where it searches:")
    .option("--seconds <seconds>", "search for this long, whatever the budget in the file", seconds)
    .option("--stories <count>", "play this many stories, whatever the budget in the file", count)
    .option("--failures <count>", "stop the search once this many laws are broken, and report no more", count)
    .option("--seed <seed>", "use this seed, whatever the seed in the file", seed)
    .option("--jobs <count>", "search with this many threads, by default one for each core; 1 starts no thread", count)
    .option("--shard <index/of>", "search only a part of the stories, such as 3/20", shard)
    .optionsGroup("One story again:")
    .option("--replay <token>", "play only the story of this token, which a failure prints")
    .option(
      "--prove <token>",
      "play only this story, here and at the commit of --before; it has to fail there and to pass here",
    )
    .option("--before <ref>", "the commit of git for --prove, such as HEAD~1")
    .optionsGroup("What is written:")
    .option("--coverage", "print tables of what was tried at each place")
    .option("--quiet", "print only failed exams and the summary")
    .option("--json", "print the verdicts as one JSON document, instead of words")
    .option(
      "--report <file>",
      "write the verdict as JSON, for centavo exam merge; with the ending .html, a report of the failing stories",
    )
    .option(
      "--write-test [file]",
      "write a test of each broken law, which fails until its story passes; by default beside the exam file, as shop.exam.test.ts",
    )
    .addOption(
      new Option(
        "--runner <runner>",
        "the runner of that test; by default vitest or jest, if a package.json above names it, else node for node:test",
      ).choices(testRunners),
    )
    .action(async (what: string[], options: ExamCommandOptions) => {
      if (options.prove !== undefined || options.before !== undefined) {
        const { prove } = await import("./prove.ts");
        context.end(await prove(what, options, output, directory, context.stopped()));
        return;
      }
      const { examine } = await import("./exam.ts");
      context.end(await examine(what, options, output, directory, context.stopped()));
    });

  teach(exam, {
    examples: [
      ["npx centavo exam shop.exam.ts", "searches until the budget of the file is used up"],
      [
        "npx centavo exam shop.exam.ts --seconds 60 --write-test",
        "searches for a minute, and writes each failing story as a test",
      ],
      ["npx centavo exam shop.exam.ts --replay TOKEN", "plays the story of a failure again, while you change the shop"],
      [
        "npx centavo exam shop.exam.ts --shard 3/20 --report reports/3.json",
        "does one part of twenty, for centavo exam merge",
      ],
    ],
    exitCodes: [
      ["0", "every exam passed; with --prove, the story failed at that commit and passes here"],
      ["1", "a law is broken"],
      ["2", "an exam could not run, an option is wrong, or a file could not be written"],
      ["3", "unfinished: the budget or an interrupt ended the search before its first round was played"],
    ],
    readOn: ["guide/exam.md", "guide/laws.md", "guide/scaling.md"],
  });

  const merge = exam
    .command("merge")
    .summary("merge the reports of shards into one verdict")
    .description(
      "Merge the reports of shards into one verdict. They have to be of the same version, seed, laws and acts, and none may be missing or given twice.",
    )
    .argument("<reports...>", "files that centavo exam --report wrote")
    .option("--partial", "merge even if shards are missing")
    .option("--coverage", "print tables of what was tried at each place")
    .option("--json", "print the verdicts as one JSON document, instead of words")
    .action(async (reports: string[], _own: object, command: Command) => {
      const { mergeFiles } = await import("./exam-merge.ts");
      // The parent command also has --coverage and --json, and takes them wherever they are written.
      context.exit(mergeFiles(reports, command.optsWithGlobals(), output, directory));
    });
  teach(merge, {
    examples: [
      ["npx centavo exam merge reports/*.json", "prints the verdict of the whole"],
      ["npx centavo exam merge reports/*.json --partial", "prints what is there, where a machine was lost"],
    ],
    exitCodes: [
      ["0", "every exam passed"],
      ["1", "a law is broken"],
      ["2", "a report cannot be read, is missing, or differs from the others"],
      ["3", "an exam is unfinished"],
    ],
    readOn: ["guide/scaling.md"],
  });
}
