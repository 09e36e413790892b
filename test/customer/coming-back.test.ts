import { createSimulator } from "centavo";
import { expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

test("a returning customer's browser opens the returnUrl at the merchant's connected app", async () => {
  const merchant = await Merchant.open();
  const { checkoutUrl } = await merchant.createCheckout({ returnUrl: "https://shop.example/thanks?lang=fil#top" });
  const { redirectedTo } = await merchant.sim.customer.pay(checkoutUrl, "card");
  expect(merchant.visits).toHaveLength(1);
  // A browser keeps the fragment to itself; a Request carries it along.
  expect(merchant.visits[0]?.split("#")[0]).toBe(redirectedTo?.split("#")[0]);
  expect(redirectedTo).toMatch(/^https:\/\/shop\.example\/thanks\?lang=fil&sessionToken=.*&status=processing#top$/);
});

test("the merchant's page may read the status while the customer waits for it", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  const read: string[] = [];
  sim.connect("https://shop.example", async (request) => {
    const id = new URL(request.url).searchParams.get("intentId") ?? "";
    read.push((await merchant.intentStatus(id)).status);
    return new Response();
  });
  const { id } = await merchant.createIntent({ returnUrl: "https://shop.example/thanks" });
  const { redirectUrl } = ok(await merchant.confirm(id, "gcash"));
  await sim.customer.authenticate(redirectUrl);
  expect(read).toEqual(["processing"]);
});

test.each(["https://elsewhere.example/thanks", "myshop://thanks"])(
  "when no app is connected (%s), the visit only says where the browser was sent",
  async (returnUrl) => {
    const merchant = await Merchant.open({ assumptions: { "return.schemes": ["myshop"] } });
    const { checkoutUrl } = await merchant.createCheckout({ returnUrl });
    const { redirectedTo } = await merchant.sim.customer.cancel(checkoutUrl);
    expect(redirectedTo?.startsWith(`${returnUrl}?sessionToken=`)).toBe(true);
    expect(merchant.visits).toEqual([]);
  },
);

test("a merchant's page that breaks does not fail the customer's visit", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  sim.connect("https://shop.example", () => {
    throw new Error("The thank-you page is broken");
  });
  const { checkoutUrl } = await merchant.createCheckout();
  expect((await sim.customer.pay(checkoutUrl, "card")).status).toBe("processing");
});

test("what the merchant's page says is journaled without the secrets in it", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  const { clientSecret, webhookSecret } = sim.credentials;
  sim.connect("https://shop.example", () => new Response(`${webhookSecret} 4343434343434345`, { status: 500 }));
  const { checkoutUrl } = await merchant.createCheckout({ returnUrl: `https://shop.example/${clientSecret}` });
  const { redirectedTo } = await sim.customer.pay(checkoutUrl, "card");
  expect(redirectedTo).toContain(clientSecret);
  const journal = JSON.stringify(sim.journal.entries) + String(sim.journal);
  expect(journal).toContain("come back");
  for (const secret of [clientSecret, webhookSecret, "4343434343434345"]) expect(journal).not.toContain(secret);
});

test("a page that answers after the world was replaced leaves no trace in the new one's digest", async () => {
  const sim = createSimulator();
  const merchant = await Merchant.of(sim);
  const untouched = createSimulator().journal.digest();
  sim.connect("https://shop.example", () => {
    sim.reset();
    return new Response();
  });
  const { checkoutUrl } = await merchant.createCheckout();
  await sim.customer.pay(checkoutUrl, "card");
  expect(sim.journal.digest()).toBe(untouched);
  expect(String(sim.journal)).toContain(
    "come back → https://shop.example/thanks: answered after the world was replaced",
  );
});
