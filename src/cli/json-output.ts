import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { printable } from "../kit/base/errors/printable.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { version } from "../kit/base/runtime/version.ts";
import { exitCodes } from "./exit-codes.ts";
import { styled } from "./output.ts";
import type { Output } from "./output.ts";

/** Returns the one JSON document that a command with `--json` prints to standard output. Every one begins in the same way. */
export function jsonDocument(exitCode: number, content: object): string {
  return JSON.stringify(
    { centavo: version(), passed: exitCode === exitCodes.passed, exitCode, ...content },
    undefined,
    2,
  );
}

/** Returns the document of a command that could not run: the message, and the code of the error if it has one. */
export function jsonOfError(error: unknown): string {
  const code = error instanceof Error && "code" in error ? error.code : undefined;
  const content = { problem: printable(messageOf(error)), ...(typeof code === "string" && { code }) };
  return jsonDocument(exitCodes.couldNotRun, content);
}

/** Where a command prints what is not its result. With `--json` that is standard error, without colours. */
export function besideJson(output: Output, json: boolean | undefined): Output {
  return json === true ? { ...output, print: (text) => output.printError(text), colours: false } : output;
}

/** Tells that a command could not run, in the form that was asked for. Throws any other error again. */
export function tellProblem(error: unknown, json: boolean | undefined, output: Output): void {
  if (!(error instanceof CentavoError)) throw error;
  output.print(json === true ? jsonOfError(error) : styled(output, "red", error.message));
}
