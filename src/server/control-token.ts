import { randomBytes } from "node:crypto";
import { closeSync, constants, fstatSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { areEqualSecrets } from "../kit/base/runtime/equal-secrets.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import type { ServeOptions } from "./serve-options.ts";

const TOKEN = /^[\w.~+/=-]{16,512}$/;
const TAKES = "16 to 512 letters, digits or characters of -._~+/=";
/** A file that is larger holds something else. */
const LARGEST_FILE = 4096;

/**
 * Returns the token that opens the control API: the one that is given, the one in the file, or a random one.
 * @throws {CentavoError} `INVALID_OPTION`, without a token in its message
 */
export function controlToken({ token, tokenFile }: Pick<ServeOptions, "token" | "tokenFile">): string {
  if (token !== undefined && !TOKEN.test(token))
    throw new CentavoError("INVALID_OPTION", `serve: the option token takes ${TAKES}. Leave it out to have one made.`);
  const own = token ?? randomBytes(24).toString("base64url");
  if (tokenFile === undefined) return own;
  const inFile = tokenInFile(tokenFile, own);
  if (token === undefined || areEqualSecrets(token, inFile)) return inFile;
  throw refused(tokenFile, "holds another token than the option token. Leave one of them out");
}

/**
 * Returns the token in a file. The first of several servers that share a file makes it, whole or not at all, readable by its owner alone.
 * @param first the token of a file that is not there yet
 */
function tokenInFile(path: string, first: string): string {
  for (;;) {
    const token = readToken(path) ?? createFile(path, first);
    // Another server may have made the file meanwhile.
    if (token !== undefined) return token;
  }
}

function readToken(path: string): string | undefined {
  let file: number;
  try {
    // Windows knows no such flag.
    file = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    if (codeOf(error) === "ENOENT") return undefined;
    if (codeOf(error) === "ELOOP") throw refused(path, "is a symbolic link. Give the path of the file itself");
    throw refused(path, `cannot be read: ${messageOf(error)}`);
  }
  try {
    const stats = fstatSync(file);
    if (!stats.isFile()) throw refused(path, "is not a file");
    if (process.platform !== "win32" && (stats.mode & 0o077) !== 0)
      throw refused(
        path,
        "can be reached by other users of this machine. Run chmod 600 on it, or delete it to have a new one made",
      );
    const token = stats.size > LARGEST_FILE ? "" : readFileSync(file, "utf8").trim();
    if (TOKEN.test(token)) return token;
    throw refused(
      path,
      `${token === "" && stats.size <= LARGEST_FILE ? "is empty" : "does not hold a token"}. It takes ${TAKES}; delete it to have a new one made`,
    );
  } finally {
    closeSync(file);
  }
}

/** Returns undefined when the file is there by now. */
function createFile(path: string, token: string): string | undefined {
  const unfinished = `${path}.${randomBytes(6).toString("hex")}`;
  try {
    writeFileSync(unfinished, `${token}\n`, { mode: 0o600, flag: "wx" });
    // A link takes a name that is free, or fails: nobody ever reads half a file.
    linkSync(unfinished, path);
    return token;
  } catch (error) {
    if (codeOf(error) === "EEXIST") return undefined;
    throw refused(path, `cannot be written: ${messageOf(error).replaceAll(unfinished, path)}`);
  } finally {
    rmSync(unfinished, { force: true });
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}

function refused(path: string, why: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `The token file ${JSON.stringify(path)} ${why}.`);
}
