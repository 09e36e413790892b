// A thread whose simulator nobody calls, and which kills its process: nothing of what was observed is lost.
import { createSimulator } from "../../../src/index.ts";

createSimulator({ baseUrl: "https://api.thread.example" });
await fetch("https://from-a-thread.invalid/").catch(() => undefined);
process.kill(process.pid, "SIGKILL");
