import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { HOOKS } from "../merchant/requests.ts";

interface OpenPage {
  readonly kind: string;
  readonly path: string;
  readonly id: string;
  readonly status: string;
  readonly expiresAt: string;
}

async function worldWithPages() {
  const sim = createSimulator({ webhookUrl: HOOKS });
  const server = await serve(sim);
  const pages = async (): Promise<readonly OpenPage[]> => {
    const headers = { authorization: `Bearer ${server.token}` };
    const answer = await fetch(`${server.controlUrl}/customer/pages`, { headers });
    return ((await answer.json()) as { readonly pages: readonly OpenPage[] }).pages;
  };
  return { sim, server, pages, merchant: await Merchant.of(sim) };
}

test("an open session and an open challenge are pages on which a customer can act, and others are not", async () => {
  const { sim, server, pages, merchant } = await worldWithPages();
  await using _ = server;
  expect(await pages()).toEqual([]);
  const session = await merchant.createCheckout({ amount: 129_900, description: "2 × reading lamp" });
  const intent = await merchant.createIntent({ amount: 35_000, description: "Poster" });
  await merchant.confirm(intent.id, "pm_card_challenge");
  expect(await pages()).toMatchObject([
    { kind: "hosted page", id: session.id, status: "pending", amount: 129_900, currency: "PHP", customer: "Ana Reyes" },
    { kind: "challenge", id: intent.id, status: "requires_action", amount: 35_000, description: "Poster" },
  ]);
  const [hosted, challenge] = await pages();
  expect(session.checkoutUrl.endsWith(hosted?.path ?? "?")).toBe(true);
  for (const page of [hosted, challenge])
    expect((await fetch(server.url + page?.path, { redirect: "manual" })).status).toBe(200);
  await sim.customer.authenticate(sim.baseUrl + challenge?.path);
  await sim.customer.cancel(session.checkoutUrl);
  expect(await pages()).toEqual([]);
});

test("a session that has expired is no page any more", async () => {
  const { sim, server, pages, merchant } = await worldWithPages();
  await using _ = server;
  await merchant.createCheckout();
  const [hosted] = await pages();
  await sim.clock.advanceTo(hosted?.expiresAt ?? "");
  expect(await pages()).toEqual([]);
});
