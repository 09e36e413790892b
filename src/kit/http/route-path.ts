/** The variables of a path, such as `{chargeId}`. */
export const VARIABLE = /\{(\w+)\}/g;

const SEGMENT = /^(?:[\w.~!$&'()+,;=@-]|%[\dA-Fa-f]{2})+$/;

/**
 * Returns what is wrong with a path that stands in for another; undefined if nothing is.
 * @param declared the path that it stands in for, whose variables it has to have
 */
export function pathComplaint(path: string, declared: string): string | undefined {
  if (!path.startsWith("/")) return `a path begins with "/", and ${JSON.stringify(path)} does not`;
  const variables = variablesOf(declared);
  const segments = path === "/" ? [] : path.slice(1).split("/");
  // A slash at the end is part of a path.
  if (segments.length > 1 && segments.at(-1) === "") segments.pop();
  for (const segment of segments) {
    const [variable] = variablesOf(segment);
    const isWhole = variable !== undefined && segment === `{${variable}}`;
    if (isWhole && !variables.includes(variable)) return `"${segment}" is no variable of it; ${takes(variables)}`;
    if (!isWhole && (!SEGMENT.test(segment) || segment === "." || segment === ".."))
      return `${JSON.stringify(segment)} cannot stand between two slashes; a path is plain text, such as ${JSON.stringify(declared)}`;
  }
  const wrong = variables.find((name) => segments.filter((segment) => segment === `{${name}}`).length !== 1);
  return wrong === undefined ? undefined : `"{${wrong}}" has to stand in it once`;
}

function takes(variables: readonly string[]): string {
  return variables.length === 0 ? "it has none" : `it has ${variables.map((name) => `"{${name}}"`).join(", ")}`;
}

/** Returns the names of the variables of a path, in their order. */
export function variablesOf(path: string): string[] {
  return Array.from(path.matchAll(VARIABLE), ([, name = ""]) => name);
}

/** Returns a path with its variables filled in. */
export function filledPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(VARIABLE, (whole, name: string) => values[name] ?? whole);
}

/** Returns the value of the one variable of a path; undefined where another path was called. */
export function valueIn(path: string, called: string): string | undefined {
  const [before = "", after = ""] = path.split(VARIABLE).filter((_, index) => index !== 1);
  const isHere = called.startsWith(before) && called.endsWith(after) && called.length > before.length + after.length;
  const value = called.slice(before.length, called.length - after.length);
  return isHere && !/[/?#]/.test(value) ? value : undefined;
}
