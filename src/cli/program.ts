import { createRequire } from "node:module";
import { Command, InvalidArgumentError, Option } from "commander";
import type { Way } from "../scenario/ways.ts";
import type { Output } from "./output.ts";
import { replayFile } from "./recordings.ts";
import { run } from "./run.ts";
import { HOW_MUCH_IS_KEPT, HOW_TIME_MOVES, KEEP, startServer } from "./serve.ts";

/** What the program needs of the process that runs it. */
export interface ProgramContext {
  readonly output: Output;
  /** Against which paths are resolved. */
  readonly directory: string;
  exit(code: number): void;
  /** Settles when the process is asked to stop. */
  stopped(): Promise<void>;
}

const WAYS: readonly Way[] = ["intercept", "memory", "socket"];

/** The command line as commander's program; `parseAsync` runs a command. */
export function createProgram(context: ProgramContext): Command {
  const { output, directory } = context;
  const program = new Command("centavo").description("A payment service that runs inside a test.").version(version());

  program
    .command("run")
    .description("run stories and print each as a timeline")
    .argument(
      "[what...]",
      "files, folders, and names of stories; the folder scenarios by default. A file or a name narrows the folders before it",
    )
    .addOption(new Option("--way <way>", "how requests reach the simulator").choices(WAYS).default("intercept"))
    .option("--seed <seed>", "another seed than the stories' own; digests are not checked then")
    .option("--quiet", "print only what failed")
    .option("--digests <file>", "the journals' digests that the stories must keep to")
    .option("--record <folder>", "write each story's recording into this folder, for centavo replay")
    .option(
      "--timeout <seconds>",
      "how long nothing may happen in a story, in real time, before it has failed; 30 by default",
      seconds,
    )
    .option("--update-digests", "write the file of --digests instead of checking it")
    .action(
      async (
        what: string[],
        options: {
          way: Way;
          seed?: string;
          quiet?: boolean;
          digests?: string;
          record?: string;
          timeout?: number;
          updateDigests?: boolean;
        },
      ) => {
        context.exit(await run(what, options, output, directory));
      },
    );

  program
    .command("replay")
    .description("live through a recorded run again, print its timeline, and compare its digest")
    .argument("<recording>", "the file of a recording, which sim.recording() or centavo run --record made")
    .option("--quiet", "print only whether it is the same run")
    .action(async (path: string, options: { quiet?: boolean }) => {
      context.exit(await replayFile(path, options, output, directory));
    });

  program
    .command("serve")
    .description("serve the payment service on this machine, for merchants in other processes and languages")
    .option("--port <port>", "the port to listen on; 0 takes any that is free", portNumber, 4010)
    .option("--base-url <url>", "the base URL that access tokens name; the server's own address by default")
    .option("--seed <seed>", "decides every id and secret")
    .option("--webhook-url <url>", "receives events of resources without a webhookUrl of their own")
    .option("--now <time>", "where virtual time starts; the real time by default, which no two runs share")
    .option(
      "--processing-time <duration>",
      `how long payments stay in processing, in virtual time; ${HOW_TIME_MOVES}`,
      "2 seconds",
    )
    .option(
      "--assumption <id=value>",
      "another answer to what the service document leaves open; repeatable",
      assumption,
    )
    .option(
      "--keep <count>",
      "how many journal entries, requests, finished payments and events the server keeps, the newest of each",
      count,
      KEEP,
    )
    .addHelpText("after", `\nTime is virtual: ${HOW_TIME_MOVES}.\n${HOW_MUCH_IS_KEPT}`)
    .action(
      async (options: {
        port: number;
        baseUrl?: string;
        seed?: string;
        webhookUrl?: string;
        now?: string;
        processingTime: string;
        keep: number;
        assumption?: Readonly<Record<string, unknown>>;
      }) => {
        const { assumption: assumptions = {}, ...others } = options;
        const server = await startServer({ ...others, assumptions }, output);
        await context.stopped();
        await server.close();
      },
    );

  return program;
}

function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

function count(text: string): number {
  const read = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(read) || read === 0)
    throw new InvalidArgumentError("A count is a whole number of at least 1.");
  return read;
}

function seconds(text: string): number {
  const read = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || read === 0)
    throw new InvalidArgumentError("A timeout is a number of seconds above 0.");
  return read;
}

/** A value is read as JSON where it is some, so that numbers and objects can be given too. */
function assumption(text: string, previous: Readonly<Record<string, unknown>> = {}): Readonly<Record<string, unknown>> {
  const [, id, written] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (id === undefined || written === undefined)
    throw new InvalidArgumentError("An assumption is an id and a value, such as checkout.lifetime='30 minutes'.");
  return { ...previous, [id]: jsonOrText(written) };
}

function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

function version(): string {
  const manifest = createRequire(import.meta.url)("centavo/package.json") as { readonly version: string };
  return manifest.version;
}
