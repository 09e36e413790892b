import type { Part, Row } from "../../../report/reported-run.ts";

/** What stands for a secret, with what tells its kind before it, and the beginning of a token that was cut. */
const SECRET = /(?<![\w-])[\w-]*\[redacted\]|\b[\w-]{8}…/g;
/** What curl itself writes. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  "host",
  "content-length",
  "connection",
  "accept-encoding",
  "transfer-encoding",
  "expect",
]);
/** A member of JSON, or a field of a form, at the beginning of a line. */
const FIELD = /^\s*"?([\w.[\]-]+)"?(?: = |: )/;

/** A command for a shell, and what keeps it from sending the same again. */
export interface Command {
  readonly command: string;
  readonly warning?: string;
}

/**
 * Returns the command that sends the request of an entry again; undefined for an entry without one. Secrets are variables of the shell,
 * such as `$CENTAVO_TOKEN`, and everything else is quoted, whatever it contains.
 * @param base the address of the world
 */
export function curlOf({ kind, facts, parts, label }: Row, base: string): Command | undefined {
  const sent = parts.find(({ title }) => title.startsWith("Request"));
  const fact = (name: string): string | undefined => facts.find(([own]) => own === name)?.[1];
  if (kind === "request") {
    const [method = "GET", path = ""] = [fact("method"), fact("path")];
    return commandOf(method, addressOf(base, sent?.target ?? path), sent, fact("route") === "oauth.token");
  }
  const url = fact("url");
  if (kind !== "delivery" || url === undefined || sent === undefined) return undefined;
  return {
    ...commandOf("POST", url, sent),
    ...(url.includes("?…") && { warning: `The query of ${label} is not shown.` }),
  };
}

/** A call may also name its whole address. */
function addressOf(base: string, target: string): string {
  return target.startsWith("/") ? base + target : target;
}

function commandOf(method: string, address: string, sent: Part | undefined, asksForToken = false): Command {
  const { headers = [], body, cut } = sent ?? {};
  const isForm = headers.some(
    ([name, value]) => name.toLowerCase() === "content-type" && value.startsWith("application/x-www-form-urlencoded"),
  );
  const lines = [
    `curl --globoff --path-as-is ${method === "HEAD" ? "--head" : `--request ${quoted(method)}`} ${quoted(address, "SESSION_TOKEN")}`,
    ...headers
      .filter(([name]) => !OWN_HEADERS.has(name.toLowerCase()))
      .map(([name, value]) => `--header ${headerOf(name, value, asksForToken)}`),
    ...(body === undefined ? [] : isForm ? fieldsOf(body) : [`--data-raw ${linesOf(body)}`]),
  ];
  const warning =
    cut === undefined ? undefined : "The body was too long to keep whole, so this sends its beginning alone.";
  return { command: lines.join(" \\\n  "), ...(warning === undefined ? {} : { warning }) };
}

/** A form is shown as one field in each line. */
function fieldsOf(body: string): string[] {
  const fields: string[] = [];
  for (const line of body.split("\n")) {
    const [name] = line.split(" = ", 1);
    if (fields.length > 0 && (name === undefined || name === line)) fields.push(`${fields.pop() ?? ""}\n${line}`);
    else fields.push(line.replace(" = ", "="));
  }
  // Of a field without an equals sign, curl would read what stands behind an @ as the name of a file to send.
  const whole = fields.map((field) => (field.includes("=") ? field : `=${field}`));
  return whole.map((field) => `--data-urlencode ${quoted(field, field.split("=", 1)[0])}`);
}

const LINE_BREAK: Piece = { text: "\n" };

/** Quotes a body, in which the name of a field names the secret in it. */
function linesOf(body: string): string {
  const lines = body.split("\n").map((line) => piecesOf(line, FIELD.exec(line)?.[1]));
  return written(lines.flatMap((pieces, index) => (index === 0 ? pieces : [LINE_BREAK].concat(pieces))));
}

function headerOf(name: string, value: string, asksForToken: boolean): string {
  if (value === "") return quoted(`${name};`);
  if (name.toLowerCase() !== "authorization") return quoted(`${name}: ${value}`, name);
  // Of a header without anything but secrets, the kind of credential is known from where it goes.
  const [scheme, secret] = asksForToken ? ["Basic", "CLIENT_CREDENTIALS"] : ["Bearer", "TOKEN"];
  return quoted(`${name}: ${value === "[redacted]" ? `${scheme} ${value}` : value}`, secret);
}

/** A part of a text: itself, or the variable that stands for it. */
type Piece = { readonly text: string } | { readonly variable: string };

/**
 * Quotes a text for a POSIX shell.
 * @param secret the name of the variable for a secret in it
 */
function quoted(text: string, secret?: string): string {
  return written(piecesOf(text, secret));
}

function piecesOf(text: string, secret = "SECRET"): readonly Piece[] {
  const name = secret
    .replaceAll(/([a-z])([A-Z])/g, "$1_$2")
    .toUpperCase()
    .replaceAll(/[^A-Z\d]+/g, "_");
  const texts = text.split(SECRET);
  return texts.flatMap((each, index) =>
    index === 0 ? [{ text: each }] : [{ variable: `CENTAVO_${name}` }, { text: each }],
  );
}

/** Between single quotes nothing is special to a shell but the quote itself. */
function written(pieces: readonly Piece[]): string {
  let command = "";
  let literal = "";
  const close = (): void => {
    if (literal !== "") command += `'${literal.replaceAll("'", String.raw`'\''`)}'`;
    literal = "";
  };
  for (const piece of pieces) {
    if ("text" in piece) literal += piece.text;
    else {
      close();
      command += `"$${piece.variable}"`;
    }
  }
  close();
  return command || "''";
}
