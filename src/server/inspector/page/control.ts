import { CONTROL_PATH } from "../../../client/control-api.ts";
import { connection, probe } from "./connection.ts";
import { problemIn } from "./problem.ts";

/** What the control API answered: its data, or the sentence with which it refuses. */
export type Answered<Data> =
  | { readonly data: Data; readonly problem?: undefined }
  | { readonly problem: string; readonly data?: undefined };

/**
 * Calls the control API of a world.
 * @param path the path of the world, empty for the default one
 * @param call the method and the path below the control API, such as `POST /clock/settle`
 */
export async function control<Data>(path: string, call: string, body?: unknown): Promise<Answered<Data>> {
  const answer = await answerOf(path, call, body);
  if (typeof answer === "string") return { problem: answer };
  return { data: (answer.status === 204 ? undefined : await answer.json()) as Data };
}

/** Reads a document of a world, to be saved. */
export async function documentOf(path: string, call: string): Promise<Answered<Blob>> {
  const answer = await answerOf(path, call, undefined);
  return typeof answer === "string" ? { problem: answer } : { data: await answer.blob() };
}

async function answerOf(path: string, call: string, body: unknown): Promise<Response | string> {
  const [method = "GET", route = ""] = call.split(" ");
  try {
    const answer = await fetch(path + CONTROL_PATH + route, {
      method,
      ...(body !== undefined && {
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
    if (answer.ok) return answer;
    if (answer.status === 401) connection.value = "signed-out";
    return await problemIn(answer);
  } catch {
    void probe();
    return "The connection to the server is lost, so this may not have happened. The page goes on when the server is back.";
  }
}
