import { isThrown, messageOf, textOf } from "../kit/base/errors/thrown-values.ts";

/** The errors that have a report, by their objects, because runners hand the same error on. */
const reported = new WeakSet<object>();

/** What an error has besides its message, which a runner shows. */
const SHOWN = ["name", "code", "actual", "expected", "operator", "showDiff"] as const;

/**
 * Adds a report to an error below its message, where every runner prints it. The error keeps its class, its values to compare and its
 * cause. Does nothing to an error that has a report.
 * @returns the error, or a new one with it as `cause` if it is not an error or cannot be changed
 */
export function withReport(error: unknown, report: () => string): unknown {
  if (typeof error !== "object" || error === null) {
    return marked(new Error(`The test threw ${textOf(error)}.\n\n${report()}`, { cause: error }));
  }
  if (reported.has(error)) return error;
  const text = report();
  try {
    if (addTo(error, text)) return marked(error);
  } catch {
    // The error has setters that throw, or is frozen.
  }
  return marked(wrapped(error, text));
}

function marked(error: object): object {
  reported.add(error);
  return error;
}

/** Returns false when the error did not take the text. */
function addTo(error: object, report: string): boolean {
  const { message, stack } = error as { readonly message?: unknown; readonly stack?: unknown };
  if (typeof message !== "string" || Object.isFrozen(error)) return false;
  const longer = `${message}\n\n${report}`;
  if (!Reflect.set(error, "message", longer) || Reflect.get(error, "message") !== longer) return false;
  // Jest shows only the values of an assertion whose message Node wrote by itself.
  if (Reflect.get(error, "generatedMessage") === true) Reflect.set(error, "generatedMessage", false);
  if (typeof stack === "string") Reflect.set(error, "stack", stackWith(stack, message, report));
  return true;
}

/** The stack repeats the message before its frames. Runners that print the stack alone show the report so, too. */
function stackWith(stack: string, message: string, report: string): string {
  const frames = /\n {1,8}at /.exec(stack)?.index ?? stack.length;
  // The message ends its line: the name of the class may contain it, too.
  const at = message === "" ? -1 : stack.indexOf(`${message}\n`);
  const end = at === -1 ? frames : at + message.length;
  // Node puts a stack without frames in brackets, and the closing one must not follow the command that ends the report.
  return `${stack.slice(0, end)}\n\n${report}${stack.slice(end) || "\n"}`;
}

function wrapped(error: object, report: string): Error {
  const message = isThrown(error, Error) ? messageOf(error) : `The test threw ${textOf(error)}.`;
  const wrapper = new Error(message, { cause: error });
  for (const name of SHOWN) {
    const value: unknown = readFrom(error, name);
    if (value !== undefined) Object.defineProperty(wrapper, name, { value, configurable: true, writable: true });
  }
  const stack = readFrom(error, "stack");
  if (typeof stack === "string") wrapper.stack = stack;
  addTo(wrapper, report);
  return wrapper;
}

function readFrom(error: object, name: string): unknown {
  try {
    return Reflect.get(error, name);
  } catch {
    return undefined;
  }
}
