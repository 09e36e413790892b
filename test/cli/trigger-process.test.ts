import { spawn } from "node:child_process";
import { existsSync, openSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { listening, receiver, SECRET } from "./webhook-receiver.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");

/** Starts the command in a process of its own, with the secret in its environment. */
function start(words: readonly string[], { stdout }: { readonly stdout?: number } = {}) {
  const child = spawn(process.execPath, [main, "trigger", ...words], {
    stdio: ["ignore", stdout ?? "pipe", "pipe"],
    env: { ...process.env, CENTAVO_WEBHOOK_SECRET: SECRET },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const printed = { text: "", errors: "" };
  child.stdout?.on("data", (data: Buffer) => (printed.text += data.toString()));
  child.stderr?.on("data", (data: Buffer) => (printed.errors += data.toString()));
  const ended = new Promise<{ readonly code: number | null; readonly text: string; readonly errors: string }>(
    (resolve) => void child.on("close", (code) => resolve({ code, ...printed })),
  );
  return { child, ended };
}

describe("centavo trigger as a process", () => {
  test("takes the secret from its environment, and never prints it", async () => {
    const shop = await receiver();
    const { code, text, errors } = await start(["checkout.completed", "--to", shop.url, "--forged"]).ended;
    expect({ code, errors }).toEqual({ code: 0, errors: "" });
    expect(shop.events()).toHaveLength(2);
    expect(text).not.toContain("c2hvcC1");
  });

  test("exits with 1 for a refusal, and with 2 for a wrong event, with the message alone", async () => {
    const shop = await receiver((response) => response.writeHead(400).end());
    expect(await start(["checkout.completed", "--to", shop.url]).ended).toMatchObject({ code: 1, errors: "" });
    const { code, text, errors } = await start(["checkout.complete", "--to", shop.url]).ended;
    expect({ code, text }).toEqual({ code: 2, text: "" });
    expect(errors).toMatch(/^centavo trigger: the event is "checkout\.complete"; the nearest is "checkout\.completed"/);
    expect(errors.trim().split("\n")).toHaveLength(1);
  });

  test.for([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s ends it while the handler hangs", async ([signal, expected]) => {
    const arrived = Promise.withResolvers<void>();
    const closed = Promise.withResolvers<void>();
    const origin = await listening((request) => {
      request.socket.once("close", () => closed.resolve());
      arrived.resolve();
    });
    const { child, ended } = start(["checkout.completed", "--to", origin]);
    await arrived.promise;
    child.kill(signal);
    const { code, text, errors } = await ended;
    expect({ code, errors }).toEqual({ code: expected, errors: "Interrupted.\n" });
    expect(text).toMatch(/2 deliveries not sent\.\n$/);
    await closed.promise;
  });

  test("goes on in silence when its output is closed", async () => {
    const shop = await receiver();
    const { child, ended } = start(["subscription.unpaid", "--to", shop.url, "--repeat", "5"]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    expect(await ended).toMatchObject({ code: 0, errors: "" });
    expect(shop.events()).toHaveLength(90);
  });

  test("writes to /dev/stdout, and says so in a sentence when the disk is full", async ({ skip }) => {
    skip(!existsSync("/dev/full"), "this system has no /dev/full");
    const { code, errors } = await start(["--list"], { stdout: openSync("/dev/full", "w") }).ended;
    expect(code).toBe(2);
    expect(errors).toBe("Standard output cannot be written: ENOSPC: no space left on device, write.\n");
  });
});
