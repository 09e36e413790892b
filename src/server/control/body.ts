import { isDeeperThan } from "../../kit/base/runtime/nesting.ts";
import { DEEPEST_SNAPSHOT } from "../../simulator/snapshot.ts";
import { ControlProblem } from "./problem.ts";

/** A snapshot of a long run has some megabytes. */
const LARGEST_BODY = 64 * 1024 * 1024;

/**
 * Reads a body of JSON. No body counts as an empty object.
 * @throws {ControlProblem}
 */
export async function readJson(request: Request): Promise<unknown> {
  const text = await readText(request);
  if (text.trim() === "") return {};
  const value = parsed(text);
  if (!isDeeperThan(DEEPEST_SNAPSHOT, value)) return value;
  throw new ControlProblem(400, "INVALID_OPTION", `The body is nested deeper than ${DEEPEST_SNAPSHOT} levels.`);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ControlProblem(400, "INVALID_OPTION", "The body is not JSON.");
  }
}

async function readText({ body }: Request): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > LARGEST_BODY)
      throw new ControlProblem(413, "BODY_TOO_LARGE", `The body has more than ${LARGEST_BODY / 1024 / 1024} MiB.`);
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}
