import { createClient, type CreatedIntent } from "centavo/client";
import { afterEach, expect, test } from "vitest";
import { startServer, type ServeCommandOptions } from "../../src/cli/serve.ts";
import { centavo } from "./commands.ts";
import type { Ran } from "./commands.ts";

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function start(options: Partial<ServeCommandOptions> = {}): Promise<{ url: string; text: string }> {
  const printed: string[] = [];
  const output = {
    print: (text: string) => void printed.push(text),
    printError: () => undefined,
    colours: false,
  };
  const server = await startServer({ port: 0, ...options }, output);
  opened.push(server);
  return { url: server.url, text: printed.join("\n") };
}

function printedCredential(text: string, name: string): string {
  return new RegExp(`${name} +(\\S+)`).exec(text)?.[1] ?? "";
}

test("it prints its address and credentials, and these open it", async () => {
  const { url, text } = await start();
  expect(text).toContain(`Centavo answers at ${url}`);
  const client = createClient({
    baseUrl: url,
    clientId: printedCredential(text, "client id"),
    clientSecret: printedCredential(text, "client secret"),
    adminKey: printedCredential(text, "admin key"),
  });
  const intent: CreatedIntent = await client.paymentIntents.create({ amount: 10_000 });
  const confirmed = await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
  expect(confirmed.status).toBe("processing");
  expect(printedCredential(text, "webhook secret")).toMatch(/^whsec_/);
});

test("payments end by themselves, because its clock moves by itself", async () => {
  const { url, text } = await start({ processingTime: "5 seconds", clock: { real: 1000 } });
  const credentials = {
    clientId: printedCredential(text, "client id"),
    clientSecret: printedCredential(text, "client secret"),
  };
  const client = createClient({ baseUrl: url, ...credentials });
  const intent = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
  await expect.poll(async () => (await client.paymentIntents.status(intent.id)).status).toBe("succeeded");
});

test("its answers name the base URL that it was given, or its own address", async () => {
  const issuerOf = async (url: string): Promise<unknown> => {
    const response = await fetch(`${url}/.well-known/oauth-authorization-server`);
    return ((await response.json()) as { issuer: string }).issuer;
  };
  const own = await start();
  expect(await issuerOf(own.url)).toBe(own.url);
  expect(await issuerOf((await start({ baseUrl: "https://api.pay.example" })).url)).toBe("https://api.pay.example");
});

test("the same seed prints the same secrets", async () => {
  const [first, second, other] = [await start({ seed: "a" }), await start({ seed: "a" }), await start({ seed: "b" })];
  const secretOf = ({ text }: { text: string }): string => printedCredential(text, "client secret");
  expect(secretOf(second)).toBe(secretOf(first));
  expect(secretOf(other)).not.toBe(secretOf(first));
});

test("without a seed the secrets differ in each run, and the seed that it prints gives them again", async () => {
  const [first, second] = [await start(), await start()];
  const secretsOf = ({ text }: { text: string }): string[] =>
    ["client id", "client secret", "admin key", "webhook secret"].map((name) => printedCredential(text, name));
  for (const [index, secret] of secretsOf(first).entries()) expect(secretsOf(second)[index]).not.toBe(secret);
  const again = await start({ seed: printedCredential(first.text, "seed") });
  expect(secretsOf(again)).toEqual(secretsOf(first));
  expect(first.text).toMatch(/--seed \S+ gives the same ids and secrets again/);
});

test("an invalid processing time is refused before anything listens", async () => {
  await expect(start({ processingTime: "soon" })).rejects.toMatchObject({ name: "CentavoError" });
});

test("the command that it prints for a token gets one", async () => {
  const { url, text } = await start();
  expect(text).toContain(`auth URL        ${url} (tokens: POST /oauth)`);
  const [, form = "", address = ""] = /curl (.*) (http\S+)$/m.exec(text) ?? [];
  const body = new URLSearchParams(form.replaceAll(/ ?-d /g, "&"));
  const response = await fetch(address, { method: "POST", body });
  expect(await response.json()).toMatchObject({ access_token: expect.any(String) as string });
});

test("time starts at --now, and the output says how time moves", async () => {
  const { text } = await start({ now: "2030-05-01T00:00:00Z", clock: "auto" });
  expect(text).toContain("Virtual time is 2030-05-01T00:00:00.000Z; after each request it skips");
  expect((await start()).text).not.toContain("Virtual time is 2026-01-01");
});

test("it says where events go, and that nothing is sent to other hosts", async () => {
  expect((await start()).text).toContain("Events go to the webhookUrl of their resource or merchant. The server sends");
  const { text } = await start({ webhookUrl: "http://localhost:3000/hooks" });
  expect(text).toContain(
    "Events go to http://localhost:3000/hooks, unless their resource or merchant has a webhookUrl.",
  );
  expect(text).toContain("It sends nothing to any other host: an event for one fails as not-connected");
});

test("it warns of a webhook address that is not on this machine", async () => {
  expect((await start({ webhookUrl: "https://shop.example/hooks" })).text).toContain(
    "Warning: https://shop.example/hooks is not on this machine, so its events will not arrive",
  );
  for (const host of ["localhost:3000", "127.0.0.1", "[::1]:80", "shop.localhost", "[::ffff:127.0.0.1]"]) {
    expect((await start({ webhookUrl: `http://${host}/hooks` })).text).not.toContain("Warning");
  }
});

test("a port that is taken is explained", async () => {
  const { url } = await start();
  await expect(start({ port: Number(new URL(url).port) })).rejects.toThrow(
    "Use another port, or --port 0 for any free one.",
  );
});

test("assumptions are given by id, as often as needed", async () => {
  const serveWith = (...options: string[]): Promise<Ran> => centavo("serve", "--port", "0", ...options);
  const { text } = await serveWith(
    "--assumption",
    "http.success-status=201",
    "--assumption",
    "checkout.lifetime=5 minutes",
  );
  expect(text).toContain("Centavo answers at");
  await expect(serveWith("--assumption", "checkout.lifetim=5 minutes")).rejects.toMatchObject({
    code: "INVALID_ASSUMPTION",
  });
});

test("a file of assumptions is read from the folder of the command, and an error names it", async () => {
  const serveWith = (file: string): Promise<Ran> => centavo("serve", "--port", "0", "--assumptions", file);
  expect((await serveWith("stories/assumptions/shared.json")).text).toContain("Centavo answers at");
  await expect(serveWith("stories/assumptions/fixed.json")).rejects.toMatchObject({
    code: "INVALID_ASSUMPTION",
    message: expect.stringMatching(
      /^--assumptions: the file of assumptions ".*fixed\.json": .*"time\.format" is fixed/,
    ) as unknown,
  });
});
