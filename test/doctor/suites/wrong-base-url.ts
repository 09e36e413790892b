// A suite whose shop still calls another host.
import { createSimulator } from "../../../src/index.ts";
import { intercept } from "../../../src/node.ts";
import { paid } from "./shop.ts";

const sim = createSimulator({ baseUrl: "https://api.expected.example" });
const network = intercept(sim);
await paid("https://api.old.example", sim).catch(() => undefined);
network.close();
