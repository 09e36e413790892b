import type { Command } from "commander";
import type { CalibrateCommandOptions } from "./calibrate.ts";
import { teach } from "./help.ts";
import type { ProgramContext } from "./program.ts";

/** Adds `centavo calibrate`. Its code is loaded only when it runs, so that other commands start faster. */
export function addCalibrateCommand(program: Command, context: ProgramContext): void {
  const command = program
    .command("calibrate")
    .summary("find the assumptions under which Centavo answers as the real service did")
    .description(
      "Find the assumptions under which Centavo answers as the real service did, in recorded traffic. Each request is played in a world that was brought to the same point, and the values that make the answers fit are found by trying them. They are written with the exchanges that speak for each. A file that is there already gives the values to begin with.",
    )
    .argument("[recordings...]", "HAR files of centavo record, of a browser's developer tools or of Playwright")
    .optionsGroup("The real service:")
    .option("--base-url <url>", "its address, such as https://sandbox.pay.example; by default it is seen in the calls")
    .option("--auth-url <url>", "the address of its token service, if that has one of its own")
    .optionsGroup("What is written:")
    .option("--out <file>", "where to write the assumptions", "centavo.assumptions.json")
    .option("--check", "write no assumptions, and fail if they differ from those in the file, or if something drifts")
    .option("--json", "print the result as one JSON document, instead of words")
    .option("--html <file>", "also write it as a page")
    .action(async (recordings: string[], options: CalibrateCommandOptions) => {
      if (recordings.length === 0)
        command.error("error: missing required argument 'recordings', such as npx centavo calibrate traffic.har");
      const { calibrateFiles } = await import("./calibrate.ts");
      context.exit(await calibrateFiles(recordings, options, context.output, context.directory));
    });
  teach(command, {
    examples: [
      [
        "npx centavo calibrate recordings/*.har",
        "writes centavo.assumptions.json, for createSimulator and --assumptions",
      ],
      ["npx centavo calibrate recordings/*.har --check", "fails once the real service answers otherwise, each night"],
      [
        "npx centavo calibrate traffic.har --html calibration.html",
        "shows what was found, and what was not, as a page",
      ],
    ],
    exitCodes: [
      ["0", "the assumptions are written; with --check, the recordings agree with them"],
      ["1", "with --check, an assumption differs, recordings disagree, or something drifts"],
      ["2", "a recording cannot be read, --check finds no file, an option is wrong, or a file cannot be written"],
    ],
    readOn: ["guide/calibrate.md", "reference/assumptions.md"],
  });
}
