/** Measures a suite in the shards of its runner: all of them against one `centavo serve`, each test file in a world of its own. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { installPackages } from "../scripts/install-packages.ts";
import type { ShardsFigures } from "./figures.ts";
import { root } from "./measure.ts";

const FILES = 12;
const PAYMENTS = 20;

interface Runner {
  readonly name: string;
  /** The folder that has the runner. */
  readonly install: string;
  readonly file: string;
  readonly begin: string;
  /** One worker, so that a shard is what one core does. */
  readonly run: (shard: string) => readonly string[];
}

const runners: readonly Runner[] = [
  {
    name: "vitest",
    install: ".",
    file: "test.js",
    begin: 'import { expect, test } from "vitest";',
    run: (shard) => ["vitest/vitest.mjs", "run", "--maxWorkers=1", `--shard=${shard}`],
  },
  {
    name: "Jest",
    install: "installs/runners/jest",
    file: "test.js",
    begin: "",
    run: (shard) => ["jest/bin/jest.js", "--runInBand", `--shard=${shard}`],
  },
  {
    name: "Playwright",
    install: "installs/runners/browser",
    file: "spec.js",
    begin: 'import { expect, test } from "playwright/test";',
    run: (shard) => ["playwright/cli.js", "test", "--workers=1", "--reporter=line", `--shard=${shard}`],
  },
];

/** Returns how long each runner takes for the suite: in one piece, in two at once, and the longest of two and of four that run alone. */
export async function measureShards(): Promise<ShardsFigures[]> {
  const server = spawn(process.execPath, [join(root, "dist/esm/cli/main.js"), "serve", "--port", "0", "--json"], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [greeting] = (await once(server.stdout, "data")) as [Buffer];
  const { url, controlToken } = JSON.parse(String(greeting)) as { readonly url: string; readonly controlToken: string };
  try {
    const figures: ShardsFigures[] = [];
    for (const runner of runners) {
      if (runner.install !== ".") await installPackages(runner.install);
      const folder = suiteFor(runner);
      const take = async (shard: string): Promise<number> => {
        const [file = "", ...options] = runner.run(shard);
        const started = performance.now();
        const child = spawn(process.execPath, [join(folder, "node_modules", file), ...options], {
          cwd: folder,
          stdio: ["ignore", "ignore", "pipe"],
          env: { ...process.env, CENTAVO_URL: url, CENTAVO_TOKEN: controlToken, CI: "1" },
        });
        let errors = "";
        child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
        const [status] = (await once(child, "close")) as [number | null];
        if (status !== 0) throw new Error(`${runner.name} failed in shard ${shard}:\n${errors}`);
        return (performance.now() - started) / 1000;
      };
      const alone = async (count: number): Promise<number> => {
        const seconds: number[] = [];
        for (let number = 1; number <= count; number += 1) seconds.push(await take(`${number}/${count}`));
        return Math.max(...seconds);
      };
      // The first run finds cold files.
      await take("1/4");
      const whole = await take("1/1");
      const together = Math.max(...(await Promise.all([take("1/2"), take("2/2")])));
      figures.push({ runner: runner.name, whole, together, halves: await alone(2), quarters: await alone(4) });
      console.log(figures.at(-1));
    }
    return figures;
  } finally {
    server.kill();
  }
}

function suiteFor({ name, install, file, begin }: Runner): string {
  const folder = join(root, ".cache/shards", name);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  symlinkSync(join(root, install, "node_modules"), join(folder, "node_modules"));
  writeFileSync(join(folder, "package.json"), '{ "private": true }');
  for (let index = 0; index < FILES; index += 1)
    writeFileSync(join(folder, `checkout-${index}.${file}`), testFile(begin, `${name}-${index}`));
  return folder;
}

/** A test file that opens its world, and pays in it. */
function testFile(begin: string, world: string): string {
  return `${begin}
const { CENTAVO_URL, CENTAVO_TOKEN } = process.env;
const json = async (url, init) => (await fetch(url, init)).json();

test("customers pay", async () => {
  const headers = { authorization: \`Bearer \${CENTAVO_TOKEN}\` };
  const world = await json(\`\${CENTAVO_URL}/_centavo/worlds/${world}\`, { method: "PUT", headers });
  const { clientId, clientSecret } = world.credentials;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret });
  const { access_token } = await json(\`\${world.baseUrl}/oauth\`, { method: "POST", body });
  const own = { authorization: \`Bearer \${access_token}\`, "content-type": "application/json" };
  const post = (path, fields) =>
    json(\`\${world.baseUrl}/api/payment-intent\${path}\`, { method: "POST", headers: own, body: JSON.stringify(fields) });
  for (let count = 0; count < ${PAYMENTS}; count += 1) {
    const { data } = await post("", { amount: 10000 });
    const confirmed = await post(\`/\${data.id}/confirm\`, { paymentMethodId: "pm_card_approved" });
    expect(confirmed.data.id).toBe(data.id);
  }
});
`;
}
