import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { rawStatus, worlds } from "../server/served.ts";
import { serveProcess } from "./served.ts";

test("the options of the command reach the server", async () => {
  const folder = mkdtempSync(join(tmpdir(), "centavo-access-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const tokenFile = join(folder, "token");
  const { greeting } = await serveProcess(
    "--allow-host=centavo,10.0.0.7",
    "--allow-host=other:4010",
    "--allow-origin=http://localhost:3000",
    "--allow-webhooks-to=shop.example",
    "--webhook-url=http://shop.example/hooks",
    "--world-idle=1 hour",
    "--worlds=1",
    "--world-keep=100",
    "--world-rows=500",
    `--token-file=${tokenFile}`,
  );
  const { url, controlToken: token } = greeting;
  expect(readFileSync(tokenFile, "utf8")).toBe(`${token}\n`);
  const path = "GET /.well-known/jwks.json HTTP/1.1";
  for (const [host, status] of [
    ["centavo", 200],
    ["10.0.0.7", 200],
    ["other:4010", 200],
    ["other", 421],
  ] as const)
    expect(await rawStatus({ url }, path, `Host: ${host}`)).toBe(status);
  for (const [origin, status] of [
    ["http://localhost:3000", 200],
    ["http://localhost:3001", 403],
  ] as const)
    expect(await rawStatus({ url }, path, "Host: localhost", `Origin: ${origin}`)).toBe(status);
  expect((await worlds({ url, token }, "/a", "PUT", {})).status).toBe(201);
  expect((await worlds({ url, token }, "/b", "PUT", {})).status).toBe(503);
});
