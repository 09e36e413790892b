import { inspect, stripVTControlCharacters } from "node:util";
import { printable } from "../kit/base/errors/printable.ts";
import { cut, isThrown, messageOf, textOf } from "../kit/base/errors/thrown-values.ts";
import { paymentService } from "../simulator/payment-service.ts";

/** Returns an error's message, its cause, and its stack without lines inside Centavo and Node. */
export function describe(error: unknown): string {
  try {
    // An assertion error contains terminal colours of its own.
    return printable(
      stripVTControlCharacters(
        paymentService.redaction.text(cut(isThrown(error, Error) ? describeError(error) : inspect(error))),
      ),
    );
  } catch {
    return textOf(error);
  }
}

function describeError(error: Error): string {
  const frames = (error.stack ?? "").split("\n").filter((line) => /^\s+at /.test(line));
  const own = frames.filter((line) => !/node:|node_modules|[\\/](src|dist[\\/](esm|cjs))[\\/]/.test(line));
  const cause = isThrown(error.cause, Error) ? `\nCaused by: ${messageOf(error.cause)}` : "";
  return `${error.name}: ${messageOf(error)}${cause}\n${own.slice(0, 3).join("\n")}`.trimEnd();
}

export function indented(text: string): string {
  return text.replaceAll(/^(?=.)/gm, "  ");
}
