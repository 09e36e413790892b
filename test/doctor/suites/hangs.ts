// A suite in which a call is never answered. It ends as soon as that is observed.
import { createServer } from "node:http";
import { once } from "node:events";
import { readdirSync, readFileSync, watch } from "node:fs";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { createSimulator } from "../../../src/index.ts";

const folder = process.env["CENTAVO_DOCTOR_FOLDER"] ?? "";
const sim = createSimulator({ baseUrl: "https://api.pay.example" });
await sim.fetch("/oauth", { method: "POST" });
const server = createServer(() => undefined).listen(0);
await once(server, "listening");
const { port } = server.address() as AddressInfo;
const look = (): void => {
  for (const name of readdirSync(folder))
    if (readFileSync(join(folder, name), "utf8").includes('"hangs"')) process.exit(0);
};
watch(folder, look);
await fetch(`http://127.0.0.1:${port}/slow?key=secret`);
