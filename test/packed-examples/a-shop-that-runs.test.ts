import { execFile, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { test } from "vitest";
import { freePort } from "../free-port.ts";
import { environmentOfRunner } from "../runners/runner.ts";

const folder = join(import.meta.dirname, "../../.cache/examples");
const page = readFileSync(join(import.meta.dirname, "../../docs/guide/run-merchant.md"), "utf8");

/** The shops that are not written for Node, with what starts each at a port. */
const shops = [
  ["python-shop", (_port: number) => ["python3", "shop.py"]],
  ["php-shop", (port: number) => ["php", "-S", `127.0.0.1:${port}`, "shop.php"]],
] as const;

test.concurrent.for(shops)(
  "the story of docs/guide/run-merchant.md passes against the %s that runs",
  async (each, { expect, onTestFinished }) => {
    const [name, command] = each;
    const [port, shop] = [await freePort(), await freePort()];
    const stories = mkdtempSync(join(folder, name, "stories-"));
    const [, story = ""] = /^```ts\n(.*?)^```$/ms.exec(page) ?? [];
    writeFileSync(join(stories, "membership.ts"), story);

    const { credentials } = createSimulator();
    const [program = "", ...words] = command(shop);
    const running = spawn(program, words, {
      cwd: join(folder, name),
      stdio: ["ignore", "ignore", "pipe"],
      env: {
        ...environmentOfRunner(),
        PORT: String(shop),
        PAYMENTS_URL: `http://127.0.0.1:${port}`,
        PAYMENTS_CLIENT_ID: credentials.clientId,
        PAYMENTS_CLIENT_SECRET: credentials.clientSecret,
        PAYMENTS_WEBHOOK_SECRET: credentials.webhookSecret,
        SHOP_STORE: join(stories, "store"),
      },
    });
    onTestFinished(() => void running.kill("SIGKILL"));
    let errors = "";
    running.stderr.on("data", (data: Buffer) => (errors += data.toString()));

    const options = ["--merchant", `http://127.0.0.1:${shop}`, "--port", String(port), "--wait", "60"];
    const { code, output } = await new Promise<{ code: unknown; output: string }>((resolve) => {
      const run = ["centavo", "run", stories, ...options];
      execFile("npx", run, { cwd: join(folder, name), env: environmentOfRunner() }, (error, stdout, stderr) =>
        resolve({ code: error === null ? 0 : error.code, output: stdout + stderr }),
      );
    });
    expect(output).toContain(`base URL        http://127.0.0.1:${port}\n`);
    expect(output, errors).toMatch(/1 of 1 story passed\n$/);
    expect(code).toBe(0);
  },
);
