import { CentavoError } from "centavo";
import type { CentavoErrorCode, Simulator } from "centavo";
import { ServiceError } from "centavo/client";

/** Does what causes the error, in a simulator of its own. It throws the error, or returns the text that people see instead. */
export type Cause = (sim: Simulator) => unknown;

/** What causes errors, by their code and by a title. */
export type Causes = Readonly<Partial<Record<CentavoErrorCode | "ServiceError", Readonly<Record<string, Cause>>>>>;

/** What a person reads, and the error that it is about. */
export interface Caused {
  readonly text: string;
  readonly error: Error | undefined;
  /** The errors that are in the text: this one, its causes, and those whose words it passes on. */
  readonly told: readonly Error[];
}

/** Does what causes an error, and watches every error that is made on the way. */
export async function causing(cause: () => unknown): Promise<Caused> {
  const made: Error[] = [];
  const stopWatching = watch(made);
  try {
    const text = await cause();
    const error = typeof text === "string" ? made.findLast(({ message }) => text.includes(message)) : undefined;
    return { text: String(text), error, told: error === undefined ? [] : [error] };
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const told = made.filter((other) => isCauseOf(other, error) || passesOn(error.message, other.message));
    return { text: error.message, error, told };
  } finally {
    stopWatching();
  }
}

/** A class calls the constructor of whatever its prototype is at that moment. */
function watch(made: Error[]): () => void {
  class Watched extends Error {
    constructor(message?: string, options?: ErrorOptions) {
      super(message, options);
      made.push(this);
    }
  }
  const classes = [CentavoError, ServiceError];
  for (const each of classes) Object.setPrototypeOf(each, Watched);
  return () => {
    for (const each of classes) Object.setPrototypeOf(each, Error);
  };
}

function isCauseOf(cause: Error, error: unknown): boolean {
  if (cause === error) return true;
  return error instanceof Error && error.cause !== undefined && isCauseOf(cause, error.cause);
}

/** Whether a message has all the words of another, but for the "The" and the full stop around them. */
function passesOn(message: string, other: string): boolean {
  return message.includes(other.replaceAll(/^The |\.$/g, ""));
}
