import https from "node:https";
import { createSimulator } from "centavo";
import { intercept } from "centavo/node";
import { simulated } from "centavo/testing";

const url = "https://api.pay.example/.well-known/jwks.json";
const get = () =>
  new Promise((resolve, reject) => {
    https.get(url, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
  });

async function main() {
  const sim = createSimulator({ baseUrl: "https://api.pay.example" });
  intercept(sim);
  const statuses = [(await fetch(url)).status, await get().catch((error) => error.message)];
  const report = (await sim.report()).slice(0, 15);
  await sim.close();
  let kind;
  await simulated(({ network }) => {
    kind = network.kind;
  })();
  process.stdout.write(JSON.stringify({ statuses, report, kind }));
}

void main();
