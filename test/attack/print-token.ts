/** Starts a server with the token file of its first argument, and sends its token to the process that started it. */
import { createSimulator } from "../../src/index.ts";
import { serve } from "../../src/server.ts";

const [, , tokenFile = "", stays] = process.argv;
const server = await serve(createSimulator(), { tokenFile });
process.send?.(server.token);
if (stays === undefined) {
  await server.close();
  process.disconnect?.();
}
