import { Option } from "commander";
import type { Command } from "commander";
import { testRunners } from "../exam/test-of-story.ts";
import { count, seconds, seed, shard } from "./arguments.ts";
import type { ExamCommandOptions } from "./exam.ts";
import type { ProgramContext } from "./program.ts";

/** Adds `centavo exam` and `centavo exam merge`. Their code is loaded only when they run, so that other commands start faster. */
export function addExamCommand(program: Command, context: ProgramContext): void {
  const { output, directory } = context;
  const exam = program
    .command("exam")
    .description("search for stories in which a merchant goes wrong, with all cores")
    .argument("<what...>", "exam files, and folders of files named like shop.exam.ts")
    .option("--seconds <seconds>", "search for this long, whatever the budget in the file", seconds)
    .option("--stories <count>", "play this many stories, whatever the budget in the file", count)
    .option("--failures <count>", "stop the search once this many laws are broken, and report no more", count)
    .option("--seed <seed>", "use this seed, whatever the seed in the file", seed)
    .option("--jobs <count>", "search with this many threads, by default one for each core; 1 starts no thread", count)
    .option("--replay <token>", "play only the story of this token, which a failure prints")
    .option("--shard <index/of>", "search only a part of the stories, such as 3/20", shard)
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
    .option(
      "--prove <token>",
      "play only this story, here and at the commit of --before; it has to fail there and to pass here",
    )
    .option("--before <ref>", "the commit of git for --prove, such as HEAD~1")
    .option("--coverage", "print tables of what was tried at each place")
    .option("--quiet", "print only failed exams and the summary")
    .action(async (what: string[], options: ExamCommandOptions) => {
      if (options.prove !== undefined || options.before !== undefined) {
        const { prove } = await import("./prove.ts");
        context.end(await prove(what, options, output, directory, context.stopped()));
        return;
      }
      const { examine } = await import("./exam.ts");
      context.end(await examine(what, options, output, directory, context.stopped()));
    });

  exam
    .command("merge")
    .description("merge the reports of shards into one verdict")
    .argument("<reports...>", "files that centavo exam --report wrote")
    .option("--partial", "merge even if shards are missing")
    .option("--coverage", "print tables of what was tried at each place")
    .action(async (reports: string[], _own: object, command: Command) => {
      const { mergeFiles } = await import("./exam-merge.ts");
      // The parent command also has --coverage, and takes it wherever it is written.
      context.exit(mergeFiles(reports, command.optsWithGlobals(), output, directory));
    });
}
