import { checkOverrides } from "../kit/assumptions/assumptions.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import { assumptionsIn } from "./assumptions-file.ts";
import { describe } from "./described.ts";
import { exitCodes } from "./exit-codes.ts";
import { inGivenNames } from "./given-names.ts";
import { credentialsIn, faultsIn } from "./json-file.ts";
import { styled } from "./output.ts";
import type { ProgramContext } from "./program.ts";
import { accessIn } from "./serve-access.ts";
import type { GivenAccess } from "./serve-access.ts";
import { startServer } from "./serve.ts";
import type { RunningServer, ServeCommandOptions } from "./serve.ts";
import { StoryFailed, storyIn } from "./served-story.ts";

/** The options as the command line has them, with files by their paths. */
export interface GivenOptions
  extends Omit<ServeCommandOptions, "assumptions" | "credentials" | "faults" | "story" | "access">, GivenAccess {
  readonly assumptions?: string;
  readonly assumption?: Readonly<Record<string, unknown>>;
  readonly credentials?: string;
  readonly faults?: string;
  readonly story?: string;
}

/** How long a server may take to stop, in milliseconds. */
const LONGEST_STOP = 10_000;

/** Runs a server until a signal stops it. */
export async function runServer(options: GivenOptions, context: ProgramContext): Promise<void> {
  // A script may stop the server as soon as it has read the greeting.
  const stopped = context.stopped();
  const server = await started(options, context);
  if (server !== undefined) await untilStopped(server, stopped, context, options.json === true);
}

/** Returns undefined when the story has failed. */
async function started(options: GivenOptions, context: ProgramContext): Promise<RunningServer | undefined> {
  const { output, directory } = context;
  const { assumption: given, assumptions, credentials, faults, story: path, ...others } = options;
  checkOverrides(assumptionTable, given ?? {}, "--assumption");
  const story = path === undefined ? undefined : await storyIn(path, directory);
  const read: ServeCommandOptions = {
    ...others,
    access: accessIn(others, directory),
    assumptions: { ...(assumptions !== undefined && assumptionsIn(assumptions, directory)), ...given },
    ...(credentials !== undefined && { credentials: credentialsIn(credentials, directory) }),
    ...(faults !== undefined && { faults: faultsIn(faults, directory) }),
    ...(story !== undefined && { story }),
  };
  try {
    return await startServer(read, output, directory);
  } catch (error) {
    if (!(error instanceof StoryFailed)) throw inGivenNames(error, options);
    output.printError(`${styled(output, "red", `The story ${path} has failed:`)}\n${describe(error.cause)}`);
    context.exit(exitCodes.failed);
    return undefined;
  }
}

/** Runs until a signal stops the server. */
async function untilStopped(
  server: RunningServer,
  stopped: Promise<number>,
  context: ProgramContext,
  isSilent: boolean,
): Promise<void> {
  const { output } = context;
  await stopped;
  void context.stopped().then((signal) => context.end(128 + signal));
  if (!isSilent) output.print("Stopping. Ctrl+C again ends it at once.");
  const left = await server.stop(LONGEST_STOP);
  if (left !== undefined) output.printError(styled(output, "red", left));
  context.end(left === undefined ? exitCodes.passed : exitCodes.unfinished);
}
