// A suite that never ends, and starts a process that ignores SIGTERM and keeps its standard error.
import { spawn } from "node:child_process";
import { createSimulator } from "../../../src/index.ts";

createSimulator({ baseUrl: "https://api.pay.example" });
process.on("SIGTERM", () => process.exit(0));
const child = spawn(
  process.execPath,
  ["-e", 'process.on("SIGTERM", () => undefined); setInterval(() => undefined, 1000); console.log("ready");'],
  {
    stdio: ["ignore", "pipe", "inherit"],
  },
);
child.stdout.once("data", () => process.stderr.write("started\n"));
setInterval(() => undefined, 1000);
