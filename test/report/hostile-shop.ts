import { createSimulator } from "centavo";
import type { Simulator, SimulatorOptions } from "centavo";
import { Merchant } from "../merchant.ts";
import { HOOKS, SHOP } from "../merchant/requests.ts";

/** What a report must show as text alone. */
export const hostileTexts = {
  markup: `</script><img src=x onerror="document.title='owned'">`,
  comment: "<!--<script>document.title='owned'</script>",
  template: "${document.title='owned'}{{constructor.constructor('document.title=1')()}}",
  turned: "\u202Egnp.exe\u2066",
  control: "\u0000\u001B[31m\u2028\u2029",
  torn: "\uD800 and \uDFFF",
  quotes: `"'\`><svg onload=document.title='owned'>`,
  address: "javascript:document.title='owned'",
} as const;

const all = Object.values(hostileTexts).join(" ");

/** A run with hostile texts wherever a text can come from: paths, queries, headers, bodies, keys, metadata, and what an app answers and throws. */
export async function hostileRun(options: SimulatorOptions = {}): Promise<Simulator> {
  const sim = createSimulator({ webhookUrl: HOOKS, seed: hostileTexts.markup, ...options });
  let count = 0;
  sim.connect(SHOP, () => {
    count += 1;
    if (count === 2) throw new Error(all);
    return new Response(`${all}${"x".repeat(5000)}`, {
      status: 500,
      headers: { location: encodeURI(hostileTexts.markup) },
    });
  });
  const merchant = await Merchant.of(sim);
  await merchant.createIntent({
    description: all,
    externalId: hostileTexts.markup,
    metadata: { [hostileTexts.markup]: hostileTexts.comment, turned: hostileTexts.turned },
  });
  await merchant.pay({});
  const text = encodeURIComponent(hostileTexts.markup);
  await sim.fetch(`/api/${text}?${text}=${text}`, { headers: { "idempotency-key": hostileTexts.quotes } });
  await sim.fetch("/api/payment-intent", { method: "POST", body: all, headers: { "content-type": "text/html" } });
  await sim.fetch("/api/payment-intent", {
    method: "POST",
    body: "[".repeat(60_000),
    headers: { "content-type": "application/json" },
  });
  await sim.fetch("/oauth", {
    method: "POST",
    body: new URLSearchParams({ grant_type: hostileTexts.markup, [hostileTexts.markup]: "<".repeat(300_000) }),
  });
  await sim.visit(`/orders/${text}`).catch(() => undefined);
  sim.faults.add({
    id: hostileTexts.markup,
    kind: "request.status",
    status: 503,
    route: "payment-intent.create",
    times: 1,
  });
  await merchant.call("POST", "/api/payment-intent", { amount: 1, description: all });
  await sim.clock.advance("10 seconds");
  return sim;
}
