// A suite in which nothing is paid, and which fails.
import { createSimulator } from "../../../src/index.ts";

await createSimulator({ baseUrl: "https://api.idle.example" }).clock.advance("1 hour");
process.exitCode = 7;
