/** A server of three worlds whose state is in the file of the first argument. Events go to the second. It prints the addresses of the worlds. */
import { createSimulator } from "../../../src/index.ts";
import { serve } from "../../../src/server.ts";
import { openState } from "../../../src/server/state/state.ts";

const [path = "", webhookUrl = ""] = process.argv.slice(2);
const state = openState(path);
const urls: Record<string, string> = {};
for (const name of ["ana", "ben", "cora"]) {
  const sim = createSimulator({ seed: name, webhookUrl, clock: "auto" });
  if (state.worlds.has(name)) await state.restore(name, sim);
  else state.follow(name, { seed: name }, sim);
  ({ url: urls[name] } = await serve(sim));
}
process.stdout.write(`${JSON.stringify(urls)}\n`);
