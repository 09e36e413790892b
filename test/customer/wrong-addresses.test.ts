import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { ok } from "../merchant/answers.ts";

describe("an address that is not a page", () => {
  test.each([
    "https://shop.example/thanks",
    "https://api.pay.example/pay/unknown",
    "https://api.pay.example/authenticate/ach_unknown",
    "not a url",
    "",
    "pi_unknown",
  ])("%j is refused, naming the call and where addresses come from", async (url) => {
    const { customer } = (await Merchant.open()).sim;
    const refused = (call: string): unknown =>
      expect.objectContaining({
        code: "INVALID_URL",
        message: expect.stringMatching(new RegExp(`^customer\\.${call}\\(.*checkoutUrl.*redirectUrl`)) as string,
      });
    await expect(customer.pay(url, "card")).rejects.toThrow(refused("pay"));
    await expect(customer.cancel(url)).rejects.toThrow(refused("cancel"));
    await expect(customer.authenticate(url)).rejects.toThrow(refused("authenticate"));
    await expect(customer.failAuthentication(url)).rejects.toThrow(refused("failAuthentication"));
    await expect(customer.abandon(url)).rejects.toThrow(refused("abandon"));
  });

  test("an address that is missing is refused, saying when there is one", async () => {
    const { customer } = (await Merchant.open()).sim;
    const { redirectedTo } = {} as { redirectedTo: string };
    await expect(customer.authenticate(redirectedTo)).rejects.toThrow(
      expect.objectContaining({
        code: "INVALID_URL",
        message: expect.stringMatching(/^customer\.authenticate\(undefined\).*requiresAction/) as string,
      }),
    );
  });

  test("paying with nothing is refused before the page is opened, naming what pays", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    const { method } = {} as { method: string };
    await expect(merchant.sim.customer.pay(checkoutUrl, method)).rejects.toThrow(
      expect.objectContaining({ code: "INVALID_OPTION", message: expect.stringContaining("testMethods") as string }),
    );
    expect(merchant.sim.checkouts.last()?.status).toBe("pending");
  });

  test("canceling on a challenge is refused, naming failAuthentication and abandon", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const { redirectUrl } = ok(await merchant.confirm(id, "gcash"));
    await expect(merchant.sim.customer.cancel(redirectUrl)).rejects.toThrow(/failAuthentication.*customer\.abandon/);
    await expect(merchant.sim.customer.pay(redirectUrl, "card")).rejects.toThrow(/this is a challenge/);
    expect(merchant.sim.intents.get(id)?.status).toBe("requires_action");
  });

  test("answering a challenge on the hosted page is refused, naming pay and cancel", async () => {
    const merchant = await Merchant.open();
    const { checkoutUrl } = await merchant.createCheckout();
    await expect(merchant.sim.customer.authenticate(checkoutUrl)).rejects.toThrow(/customer\.pay, customer\.cancel/);
    expect(merchant.sim.checkouts.last()?.status).toBe("pending");
  });

  test("the same page under another origin is the same page", async () => {
    const merchant = await Merchant.open({ baseUrl: "https://api.pay.example/v1" });
    const { sessionToken, checkoutUrl } = await merchant.createCheckout();
    expect(checkoutUrl).toBe(`https://api.pay.example/v1/pay/${sessionToken}`);
    expect((await merchant.sim.customer.pay(`http://127.0.0.1:4000/pay/${sessionToken}`, "card")).status).toBe(
      "processing",
    );
  });
});
