import type { Command } from "commander";
import { interrupted, teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";

const RECORDING = "the file of a recording, made by sim.recording() or centavo run --record";

/** Adds `centavo replay` and `centavo report`. Their code is loaded only when they run, so that other commands start faster. */
export function addRecordingCommands(program: Command, context: ProgramContext): void {
  const { output, directory } = context;
  const replay = program
    .command("replay")
    .summary("replay a recorded run, print its timeline, and compare its digest")
    .description(
      "Replay a recorded run, print its timeline, and compare its digest. The same requests, customers and answers of receivers meet the same service again, so that a failure of a CI server happens on your machine. None of your code runs, and nothing leaves the process.",
    )
    .argument("<recording>", RECORDING)
    .optionsGroup("What is written:")
    .option("--quiet", "print only whether the run is the same")
    .option("--json", "print the result as one JSON document, with the timeline, instead of words")
    .option("--report <file>", "write an HTML report of the run")
    .action(async (path: string, options: { quiet?: boolean; json?: boolean; report?: string }) => {
      endBySignal(context);
      const { replayFile } = await import("./recordings.ts");
      context.exit(await replayFile(path, options, output, directory));
    });
  teach(replay, {
    examples: [
      ["npx centavo replay run.json", "prints what happened, and whether it happens again"],
      ["npx centavo replay run.json --quiet --report run.html", "writes it as a page to look at"],
      ["npx centavo replay run.json --json", "hands it to another program"],
    ],
    exitCodes: [
      ["0", "the run is the same"],
      ["1", "the run diverges from the recording"],
      ["2", "the recording cannot be read, an option is wrong, or the report cannot be written"],
      interrupted,
    ],
    readOn: ["guide/replay.md"],
  });

  const report = program
    .command("report")
    .summary("write an HTML report of a recorded run")
    .description(
      "Write an HTML report of a recorded run: one document with the timeline, the sequence between merchant, service, customer and receiver, every message, and the state of each resource. It needs no network and no server.",
    )
    .argument("<recording>", RECORDING)
    .optionsGroup("What is written:")
    .option("--out <file>", "where to write it; by default beside the recording, with the ending .html")
    .option("--json", "print what was written as one JSON document, instead of words")
    .action(async (path: string, options: { out?: string; json?: boolean }) => {
      endBySignal(context);
      const { reportFile } = await import("./recordings.ts");
      context.exit(await reportFile(path, options, output, directory));
    });
  teach(report, {
    examples: [
      ["npx centavo report run.json", "writes run.html beside it"],
      ["npx centavo report run.json --out reports/run.html", "writes it elsewhere, and makes the folder"],
    ],
    exitCodes: [
      ["0", "the report is written"],
      ["1", "the run diverges from the recording, and the report shows it up to there"],
      ["2", "the recording cannot be read, an option is wrong, or the report cannot be written"],
      interrupted,
    ],
    readOn: ["guide/report.md"],
  });
}

/** Files are written at once or not at all, so the process may end between any two of its turns. */
function endBySignal(context: ProgramContext): void {
  void context.stopped().then((signal) => context.end(128 + signal));
}
