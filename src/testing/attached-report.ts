import { isThrown, messageOf, textOf } from "../kit/base/errors/thrown-values.ts";

/** The errors that already have a report. Runners pass the same error on. */
const reported = new WeakSet<object>();

/** What a runner shows of an error besides its message. */
const SHOWN = ["name", "code", "actual", "expected", "operator", "showDiff"] as const;

/**
 * Appends a report to an error's message, which every runner prints. The error keeps its class, its compared values and its cause. An error
 * that already has a report is left alone.
 * @returns the error; or a new one with it as `cause`, if it is not an error or cannot be changed
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
    // The error is frozen, or has setters that throw.
  }
  return marked(wrapped(error, text));
}

function marked(error: object): object {
  reported.add(error);
  return error;
}

/** Returns false if the error did not accept the text. */
function addTo(error: object, report: string): boolean {
  const { message, stack } = error as { readonly message?: unknown; readonly stack?: unknown };
  if (typeof message !== "string" || Object.isFrozen(error)) return false;
  const longer = `${message}\n\n${report}`;
  if (!Reflect.set(error, "message", longer) || Reflect.get(error, "message") !== longer) return false;
  // Jest shows only the compared values of an assertion whose message Node generated.
  if (Reflect.get(error, "generatedMessage") === true) Reflect.set(error, "generatedMessage", false);
  if (typeof stack === "string") Reflect.set(error, "stack", stackWith(stack, message, report));
  return true;
}

/** The stack repeats the message before its frames, and some runners print only the stack. */
function stackWith(stack: string, message: string, report: string): string {
  const frames = /\n {1,8}at /.exec(stack)?.index ?? stack.length;
  // The message ends with its line. Without the line break, the search could find it inside the name of the class.
  const at = message === "" ? -1 : stack.indexOf(`${message}\n`);
  const end = at === -1 ? frames : at + message.length;
  // Node puts a stack without frames in brackets. The closing bracket must not follow the command that ends the report.
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
