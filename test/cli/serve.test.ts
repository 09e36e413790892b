import { createClient, type CreatedIntent } from "centavo/client";
import { afterEach, expect, test } from "vitest";
import { startServer, type ServeCommandOptions } from "../../src/cli/serve.ts";

const opened: { close(): Promise<void> }[] = [];

afterEach(async () => {
  await Promise.all(opened.splice(0).map((server) => server.close()));
});

async function start(options: Partial<ServeCommandOptions> = {}): Promise<{ url: string; text: string }> {
  const printed: string[] = [];
  const output = { print: (text: string) => void printed.push(text), colours: false };
  const server = await startServer({ port: 0, processingTime: "2 seconds", ...options }, output);
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

test("payments end by themselves, as nobody moves its clock", async () => {
  const { url, text } = await start({ processingTime: "5 seconds" });
  const credentials = {
    clientId: printedCredential(text, "client id"),
    clientSecret: printedCredential(text, "client secret"),
  };
  const client = createClient({ baseUrl: url, ...credentials });
  const intent = await client.paymentIntents.create({ amount: 10_000 });
  await client.paymentIntents.confirm(intent.id, { paymentMethodId: "pm_card_approved" });
  await expect.poll(async () => (await client.paymentIntents.status(intent.id)).status).toBe("succeeded");
});

test("its tokens name the address that it was given, or its own", async () => {
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

test("a processing time that is none is refused before anything listens", async () => {
  await expect(start({ processingTime: "soon" })).rejects.toMatchObject({ name: "CentavoError" });
});
