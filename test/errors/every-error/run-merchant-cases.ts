import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { runScenario, scenario } from "centavo/scenario";
import { freePort } from "../../free-port.ts";
import { centavoIn } from "../../cli/commands.ts";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

/** Runs `centavo run` in a folder with a story, and returns why it could not. */
const running =
  (...words: readonly string[]): Cause =>
  async () => {
    const folder = newFolder();
    writeFileSync(
      join(folder, "card.mjs"),
      'export default { title: "A card pays", options: {}, script: () => undefined };',
    );
    const { text } = await centavoIn(folder, "run", "card.mjs", "--json", ...words);
    return (JSON.parse(text) as { readonly problem: string }).problem;
  };

const shop = ["--merchant", "http://localhost:3000"] as const;

const withoutShop: Cause = async (sim) => {
  const [port, free] = [await freePort(), await freePort()];
  return running("--merchant", `http://127.0.0.1:${free}`, "--port", String(port))(sim);
};

const withTimers: Cause = async ({ credentials }) => {
  const url = "http://localhost:3000";
  const merchant = {
    url,
    port: 4010,
    hostname: "127.0.0.1",
    baseUrl: "http://127.0.0.1:4010",
    credentials,
    tokens: [],
  };
  await runScenario(
    scenario("A job runs at night", { timers: true }, () => undefined),
    { merchant },
  );
};

const atATakenPort: Cause = async (sim) => {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  try {
    return await running(...shop, "--port", String((server.address() as AddressInfo).port))(sim);
  } finally {
    server.close();
  }
};

/** What causes the errors of `centavo run --merchant`, by their codes. */
export const runMerchantCauses: Causes = {
  INVALID_OPTION: {
    "centavo run --merchant: a port that nobody knows": running(...shop, "--port", "0"),
    "centavo run --merchant: a port that is taken": atATakenPort,
    "centavo run --merchant: a path without a slash": running(...shop, "--webhook-path", "hooks"),
    "centavo run --merchant: credentials that are not JSON": running(...shop, "--credentials", "{secret}"),
    "centavo run --merchant: another way": running(...shop, "--way", "memory"),
    "centavo run --merchant: digests": running(...shop, "--digests", "digests.json"),
    "centavo run: a port without a merchant": running("--port", "4010"),
    "centavo run --merchant: a story whose timers follow the clock": withTimers,
  },
  INVALID_URL: {
    "centavo run --merchant: an address with a path": running("--merchant", "http://localhost:3000/shop"),
  },
  NOT_CONNECTED: { "centavo run --merchant: no merchant": withoutShop },
};
