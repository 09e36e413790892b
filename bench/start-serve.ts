import { createSimulator } from "centavo";
import { createProgram } from "../src/cli/program.ts";
import { tokenOf } from "./flow.ts";

/** A server of this process. */
export interface StartedServer {
  readonly url: string;
  /** Returns an access token of the merchant. */
  readonly login: () => Promise<string>;
}

/** It keeps so few that it has them all before it is measured, and time passes so slowly that no token expires in a round. */
const COMMAND = ["serve", "--port", "0", "--keep", "1000", "--processing-time", "10 milliseconds"];

/** Runs `centavo serve` in this process. */
export async function startServe(): Promise<StartedServer> {
  const seed = "bench";
  const url = await new Promise<string>((resolve, reject) => {
    const print = (text: string): void => resolve(/https?:\S+/.exec(text)?.[0] ?? "");
    const context = { directory: ".", exit: reject, end: reject, stopped: () => new Promise<void>(() => undefined) };
    createProgram({ ...context, output: { print, colours: false } })
      .parseAsync([...COMMAND, "--seed", seed], { from: "user" })
      .catch(reject);
  });
  const { credentials } = createSimulator({ seed });
  return { url, login: () => tokenOf({ credentials, fetch: (_, init) => fetch(`${url}/oauth`, init) }) };
}
