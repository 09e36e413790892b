// A suite whose shop calls a host that is let out, one that is not, and one in a thread of its own.
import { Worker } from "node:worker_threads";
import { once } from "node:events";
import { createSimulator } from "../../../src/index.ts";
import { intercept } from "../../../src/node.ts";
import { paid } from "./shop.ts";

const sim = createSimulator({ baseUrl: "https://api.pay.example" });
const network = intercept(sim, { allow: ["https://let-out.invalid"] });
await paid(sim.baseUrl, sim);
await fetch("https://let-out.invalid/?key=secret").catch(() => undefined);
await fetch("https://telemetry.example/v1?key=secret").catch(() => undefined);
network.close();

await once(new Worker(new URL("thread.ts", import.meta.url)), "exit");
