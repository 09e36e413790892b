/** Lines of tests from which those are taken that reach a part of the service. They have `sim`, `client`, `customer`, `make` and `app`. */
import { allKinds } from "../src/fixtures/kinds.ts";
import { declineCodes } from "../src/service/decline-codes.ts";
import { testMethods } from "../src/service/test-methods.ts";
import { paymentService } from "../src/service/service.ts";
import { faultTexts, textOf, written } from "./faults-page.ts";

/** The function of `centavo/fixtures` that makes each kind of resource. */
export const makers: Readonly<Record<string, string>> = Object.fromEntries(
  allKinds.flatMap(({ make, lifecycle }) => (lifecycle === undefined ? [] : [[lifecycle, make]])),
);

/** Resources brought to every status, and declined for every reason. */
const fixtures = paymentService.resources.flatMap(({ lifecycles }) =>
  lifecycles.flatMap(({ lifecycle, status }) => [
    ...status.options.map((word) => `await make.${makers[lifecycle.name]}({ status: "${word}" });`),
    ...declineCodes.map(
      (code) =>
        `await make.${makers[lifecycle.name]}({ status: "${lifecycle.name === "subscription" ? "past_due" : "failed"}", decline: "${code}" });`,
    ),
  ]),
);

const PAYMENT = `const { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });`;
const CONNECT = `sim.connect("https://shop.example", app);`;
const CHECKOUT = `const { checkoutUrl } = await make.checkout();`;
const CHALLENGED = `const { redirectUrl } = await client.paymentIntents.confirm((await make.intent()).id, { paymentMethodId: "pm_card_challenge" });`;

const methods = testMethods.map(({ id }) =>
  [
    `const { id } = await make.intent();`,
    `await client.paymentIntents.confirm(id, { paymentMethodId: "${id}" }).catch((error) => error);`,
  ].join("\n"),
);

/** These hold a call until the clock moves, or its client gives up. */
const slow = /^(?:request\.hang|request\.latency|response\.late)$/;

const faults = Object.entries(faultTexts).map(([kind, { options }]) => {
  const plan = `sim.faults.add(${written({ kind, ...options, times: 1 })});`;
  const confirm = `client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);`;
  return [
    slow.test(kind) ? `const fault = ${plan}` : plan,
    CONNECT,
    PAYMENT,
    ...(slow.test(kind) ? [`const answer = ${confirm}`, `await fault.struck();`] : [`await ${confirm}`]),
    `await sim.clock.advance("10 minutes");`,
  ].join("\n");
});

/** A fault of a resource may strike only when that resource is made. */
const faultsOfResources = paymentService.resources.flatMap(({ faults: families = [], lifecycles }) =>
  families.flatMap(({ kinds }) =>
    kinds.flatMap(({ kind }) =>
      lifecycles.flatMap(({ lifecycle, status }) =>
        status.options.map((word) =>
          [
            `sim.faults.add(${written({ kind, ...textOf(kind).options, times: 1 })});`,
            `await make.${makers[lifecycle.name]}({ status: "${word}" });`,
          ].join("\n"),
        ),
      ),
    ),
  ),
);

const customers = [
  [CHECKOUT, `await customer.pay(checkoutUrl, "pm_card_approved");`],
  [CHECKOUT, `await customer.cancel(checkoutUrl);`],
  [CHECKOUT, `await customer.abandon(checkoutUrl);`],
  [CHECKOUT, `await sim.clock.advance("25 hours");`],
  [CHALLENGED, `await customer.authenticate(redirectUrl);`],
  [CHALLENGED, `await customer.failAuthentication(redirectUrl);`],
  [CHALLENGED, `await sim.clock.advance("2 hours");`],
  [CHALLENGED, `sim.intents.cancel(sim.intents.last().id);`],
].map((lines) => lines.join("\n"));

/** An event counts when the app has accepted it. */
const events = paymentService.resources.flatMap(({ lifecycles }) =>
  lifecycles.flatMap(({ lifecycle, status }) =>
    status.options.map((word) =>
      [
        CONNECT,
        `await make.${makers[lifecycle.name]}({ status: "${word}", webhookUrl: "https://shop.example/hooks" });`,
        `await sim.clock.advance("5 seconds");`,
      ].join("\n"),
    ),
  ),
);

const subscriptions = [
  [`const { id } = await make.subscription({ status: "active" });`, `await sim.clock.advance("32 days");`],
  ...["active", "past_due", "unpaid"].flatMap((status) => [
    [`const { id } = await make.subscription({ status: "${status}" });`, `await client.subscriptions.cancel(id);`],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `const plan = await client.plans.create({ name: "Other", amount: 20000, interval: "month" });`,
      `await client.subscriptions.changePlan(id, { planId: plan.id });`,
    ],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `await client.subscriptions.changePaymentMethod(id, { paymentMethodId: "pm_card_approved" });`,
      `await sim.clock.settle();`,
    ],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_generic_decline" });`,
      `await sim.clock.settle();`,
    ],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_processor_unavailable" }).catch((error) => error);`,
    ],
    [`await make.subscription({ status: "${status}" });`, `await sim.clock.advance("32 days");`],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_challenge" });`,
      `sim.intents.cancel(sim.intents.last().id);`,
    ],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_challenge" });`,
      `await client.subscriptions.cancel(id);`,
    ],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });`,
      `await client.subscriptions.cancel(id);`,
    ],
    [
      `const { id } = await make.subscription({ status: "${status}" });`,
      `sim.faults.add({ kind: "processor.decline", code: "generic_decline", times: 1 });`,
      `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });`,
      `await client.subscriptions.cancel(id);`,
      `await sim.clock.settle();`,
    ],
  ]),
  [
    `const { id } = await make.subscription({ status: "incomplete" });`,
    `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_generic_decline" });`,
    `await sim.clock.settle();`,
  ],
  [`await make.subscription({ status: "incomplete" });`, `await sim.clock.advance("25 hours");`],
  [`const { id } = await make.subscription({ status: "incomplete" });`, `await client.subscriptions.cancel(id);`],
  [
    `const { id } = await make.subscription({ status: "incomplete" });`,
    `sim.faults.add({ kind: "processor.late", delay: "30 hours", times: 1 });`,
    `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });`,
    `await sim.clock.advance("31 hours");`,
  ],
  [
    `const { id } = await make.subscription({ status: "incomplete" });`,
    `sim.faults.add({ kind: "processor.late", delay: "30 hours", times: 1 });`,
    `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_generic_decline" });`,
    `await sim.clock.advance("31 hours");`,
  ],
  [
    `const { id } = await make.subscription({ status: "active" });`,
    `await client.subscriptions.changePaymentMethod(id, { paymentMethodId: "pm_card_challenge_always" });`,
    `await sim.clock.advance("40 days");`,
  ],
].map((lines) => lines.join("\n"));

const otherAnswers = [
  [
    `// assumptions: { "checkout.retry": 1 }`,
    CHECKOUT,
    `await customer.pay(checkoutUrl, "pm_card_generic_decline");`,
    `await sim.clock.settle();`,
  ],
  [
    `// assumptions: { "subscription.cancel": "keep" }`,
    `const { id } = await make.subscription({ status: "past_due" });`,
    `await client.subscriptions.cancel(id);`,
  ],
  [
    `// assumptions: { "subscription.cancel": "keep" }`,
    `const { id } = await make.subscription({ status: "past_due" });`,
    `await client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });`,
    `await client.subscriptions.cancel(id);`,
  ],
  [
    `// assumptions: { "subscription.off-session-challenge": "redirect" }`,
    `const { id } = await make.subscription({ status: "active" });`,
    `await client.subscriptions.changePaymentMethod(id, { paymentMethodId: "pm_card_challenge_always" });`,
    `await sim.clock.advance("32 days");`,
  ],
  [
    CHECKOUT,
    `await sim.clock.advance("23 hours 30 minutes");`,
    `await customer.pay(checkoutUrl, "pm_card_challenge");`,
    `await sim.clock.advance("31 minutes");`,
  ],
  [
    `const plan = await make.plan({ interval: "day" });`,
    `await make.subscription({ status: "past_due", planId: plan.id });`,
    `await sim.clock.advance("2 days");`,
  ],
].map((lines) => lines.join("\n"));

const intents = [
  [
    `const { id } = await make.intent({ status: "requires_confirmation" });`,
    `await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });`,
  ],
  [`const { id } = await make.intent({ status: "requires_confirmation" });`, `sim.intents.cancel(id);`],
].map((lines) => lines.join("\n"));

const TOKEN = `const { accessToken } = await make.token();`;
const call = (method: string, path: string, init = ""): string =>
  `await sim.fetch("${path}", { method: "${method}", headers: { authorization: \`Bearer \${accessToken}\`${init} });`;
const json = (body: string): string => `, "content-type": "application/json" }, body: ${body}`;

const errors = [
  [TOKEN, call("POST", "/api/payment-intent", json(`JSON.stringify({ amount: -1 })`))],
  [TOKEN, call("POST", "/api/payment-intent", json(`"{"`))],
  [
    TOKEN,
    call("POST", "/api/payment-intent", json(`JSON.stringify({ amount: 10000, description: "a".repeat(2 ** 20) })`)),
  ],
  [TOKEN, call("POST", "/api/payment-intent", `, "content-type": "text/plain" }, body: "amount"`)],
  [TOKEN, call("GET", "/api/nothing", " }")],
  [TOKEN, call("DELETE", "/api/payment-intent", " }")],
  [`await sim.fetch("/api/payment-intent", { method: "POST" });`],
  [
    `const { accessToken } = await make.token({ status: "expired" });`,
    call("POST", "/api/payment-intent", json(`JSON.stringify({ amount: 10000 })`)),
  ],
  [
    `await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ client_id: "unknown", client_secret: "unknown" }) });`,
  ],
  [
    `await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ grant_type: "password", client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret }) });`,
  ],
  [
    `await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ grant_type: "refresh_token", refresh_token: "unknown", client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret }) });`,
  ],
  [
    `await client.paymentIntents.confirm("pi_unknown", { paymentMethodId: "pm_card_approved" }).catch((error) => error);`,
  ],
  [
    `await client.paymentIntents.confirm((await make.intent()).id, { paymentMethodId: "pm_unknown" }).catch((error) => error);`,
  ],
  [
    `const { id } = await make.intent({ status: "succeeded" });`,
    `await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);`,
  ],
  [`await client.subscriptions.cancel("sub_unknown").catch((error) => error);`],
  [
    `const { id } = await make.subscription({ status: "cancelled" });`,
    `await client.subscriptions.cancel(id).catch((error) => error);`,
  ],
  [`await client.plans.get("plan_unknown").catch((error) => error);`],
  [`await client.transactions.get("txn_unknown").catch((error) => error);`],
  [`await sim.fetch("/pay/unknown");`],
  [
    TOKEN,
    `const pay = (amount) =>`,
    `  sim.fetch("/api/payment-intent", {`,
    `    method: "POST",`,
    `    headers: { authorization: \`Bearer \${accessToken}\`, "content-type": "application/json", "idempotency-key": "order-1" },`,
    `    body: JSON.stringify({ amount }),`,
    `  });`,
    `await pay(10000);`,
    `await pay(20000);`,
  ],
  [
    TOKEN,
    `sim.faults.add({ kind: "response.late", route: "payment-intent.create", delay: "20 seconds", times: 1 });`,
    `const pay = () =>`,
    `  sim.fetch("/api/payment-intent", {`,
    `    method: "POST",`,
    `    headers: { authorization: \`Bearer \${accessToken}\`, "content-type": "application/json", "idempotency-key": "order-1" },`,
    `    body: JSON.stringify({ amount: 10000 }),`,
    `  });`,
    `const first = pay();`,
    `const second = await pay();`,
    `await sim.clock.advance("1 minute");`,
    `await first;`,
  ],
  [
    `const { id } = await make.intent({ status: "requires_action" });`,
    `await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);`,
  ],
  [
    `// assumptions: { "http.rate-limit": { "requests": 2, "per": "1 minute" } }`,
    `for (const amount of [10000, 20000, 30000]) await client.paymentIntents.create({ amount }).catch((error) => error);`,
  ],
].map((lines) => lines.join("\n"));

export const candidates: readonly string[] = [
  ...new Set([
    ...fixtures,
    ...methods,
    ...customers,
    ...events,
    ...otherAnswers,
    ...intents,
    ...subscriptions,
    ...faults,
    ...faultsOfResources,
    ...errors,
  ]),
];
