import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";

/** A merchant that is told to return to, and be told at, a page of the service itself. */
async function digestAt(baseUrl: string, authUrl: string): Promise<string> {
  const merchant = await Merchant.open({ baseUrl, authUrl });
  const { sim } = merchant;
  sim.connect(baseUrl, () => new Response());
  const urls = { webhookUrl: `${baseUrl}/mine/hooks`, returnUrl: `${authUrl}/mine/back` };
  const id = await merchant.pay({ ...urls, metadata: { base: baseUrl } }, "pm_card_challenge");
  const challenge = String(sim.journal.entries.length);
  expect(sim.intents.get(id)?.status, challenge).toBe("requires_action");
  await sim.clock.advance("2 hours");
  return sim.journal.digest();
}

test("a value that starts with the base or auth URL is the same in every digest", async () => {
  const digest = await digestAt("https://api.pay.example", "https://auth.pay.example");
  expect(await digestAt("https://other.example/v1", "https://other.example/v1/auth")).toBe(digest);
  expect(await digestAt("http://localhost:4010", "http://localhost:4011")).toBe(digest);
});

test("an address that only begins with the same letters stays what it is", async () => {
  const digestOf = async (baseUrl: string): Promise<string> => {
    const merchant = await Merchant.open({ baseUrl });
    const { sim } = merchant;
    await merchant.createIntent({ returnUrl: "https://api.pay.example.org/back" });
    return sim.journal.digest();
  };
  expect(await digestOf("https://api.pay.example")).toBe(await digestOf("https://elsewhere.example"));
});
