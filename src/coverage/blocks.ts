/** Written by scripts/coverage-blocks.ts, which runs every block: the shortest lines of a test that reach each part of the service. */
export const blocks: readonly { readonly lines: string; readonly reach: readonly string[] }[] = [
  {
    lines: 'await make.intent({ status: "failed" });',
    reach: [
      "states payment_intent: requires_payment_method",
      "states payment_intent: requires_confirmation",
      "states payment_intent: processing",
      "states payment_intent: failed",
      "moves payment_intent: requires_payment_method → requires_confirmation (attach_method)",
      "moves payment_intent: requires_confirmation → processing (confirm)",
      "moves payment_intent: processing → failed (decide)",
      "events payment_intent.processing",
      "events payment_intent.failed",
      "outcomes pm_card_declined_before_challenge",
      "timeRules payment_intent: decide",
    ],
  },
  {
    lines: 'await make.intent({ status: "requires_action" });',
    reach: [
      "states payment_intent: requires_action",
      "moves payment_intent: requires_confirmation → requires_action (confirm)",
      "events payment_intent.requires_action",
      "outcomes pm_card_challenge",
    ],
  },
  {
    lines: 'await make.intent({ status: "succeeded" });',
    reach: [
      "states payment_intent: succeeded",
      "moves payment_intent: processing → succeeded (decide)",
      "events payment_intent.succeeded",
    ],
  },
  {
    lines: 'await make.intent({ status: "canceled" });',
    reach: [
      "states payment_intent: canceled",
      "moves payment_intent: requires_payment_method → canceled (cancel)",
      "events payment_intent.canceled",
    ],
  },
  {
    lines: 'await make.checkout({ status: "failed" });',
    reach: [
      "states checkout: pending",
      "states checkout: processing",
      "states checkout: failed",
      "moves checkout: pending → processing (process)",
      "moves checkout: processing → failed (decline)",
      "events checkout.processing",
      "events checkout.failed",
    ],
  },
  {
    lines: 'await make.checkout({ status: "completed" });',
    reach: [
      "states checkout: completed",
      "moves checkout: processing → completed (complete)",
      "events checkout.completed",
    ],
  },
  {
    lines: 'await make.checkout({ status: "cancelled" });',
    reach: [
      "states checkout: cancelled",
      "moves checkout: pending → cancelled (cancel)",
      "events checkout.cancelled",
      "outcomes customer.cancel",
    ],
  },
  {
    lines: 'await make.checkout({ status: "expired" });',
    reach: [
      "states checkout: expired",
      "moves checkout: pending → expired (expire)",
      "events checkout.expired",
      "timeRules checkout: expire",
    ],
  },
  {
    lines: 'await make.subscription({ status: "active" });',
    reach: [
      "states subscription: incomplete",
      "states subscription: active",
      "moves subscription: incomplete → incomplete (change_method)",
      "moves subscription: incomplete → incomplete (first_payment_started)",
      "moves subscription: incomplete → active (activate)",
      "events subscription.activated",
      "events subscription.invoice.paid",
    ],
  },
  {
    lines: 'await make.subscription({ status: "unpaid" });',
    reach: [
      "states subscription: past_due",
      "states subscription: unpaid",
      "moves subscription: active → active (renew)",
      "moves subscription: active → past_due (payment_failed)",
      "moves subscription: past_due → past_due (payment_failed)",
      "moves subscription: past_due → unpaid (give_up)",
      "moves invoice: open → open (retry_due)",
      "moves invoice: charging → open (attempt_failed)",
      "events subscription.past_due",
      "events subscription.unpaid",
      "events subscription.invoice.payment_failed",
      "outcomes pm_card_declines_renewals",
      "timeRules subscription: renew",
      "timeRules invoice: retry_due",
    ],
  },
  {
    lines: 'await make.subscription({ status: "incomplete_cancelled" });',
    reach: [
      "states subscription: incomplete_cancelled",
      "moves subscription: incomplete → incomplete_cancelled (first_payment_due)",
      "timeRules subscription: first_payment_due",
    ],
  },
  {
    lines: 'await make.subscription({ status: "cancelled" });',
    reach: [
      "states subscription: cancelled",
      "moves subscription: incomplete → cancelled (cancel)",
      "events subscription.cancelled",
    ],
  },
  {
    lines: 'await make.invoice({ status: "open" });',
    reach: ["states invoice: open"],
  },
  {
    lines: 'await make.invoice({ status: "paid" });',
    reach: [
      "states invoice: charging",
      "states invoice: paid",
      "moves invoice: open → charging (attempt)",
      "moves invoice: charging → paid (attempt_succeeded)",
      "outcomes pm_card_approved",
    ],
  },
  {
    lines: 'await make.invoice({ status: "void" });',
    reach: ["states invoice: void", "moves invoice: open → void (void)"],
  },
  {
    lines:
      'const { id } = await make.intent({ status: "requires_confirmation" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });',
    reach: ["moves payment_intent: requires_confirmation → requires_confirmation (attach_method)"],
  },
  {
    lines: 'await make.intent({ status: "requires_confirmation" });',
    reach: [
      "moves payment_intent: requires_confirmation → requires_confirmation (processor_unavailable)",
      "errors INTERNAL_ERROR",
      "outcomes pm_card_processor_unavailable",
    ],
  },
  {
    lines: 'const { id } = await make.intent({ status: "requires_confirmation" });\nsim.intents.cancel(id);',
    reach: ["moves payment_intent: requires_confirmation → canceled (cancel)"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "authentication_failed" });',
    reach: [
      "moves payment_intent: requires_action → processing (authenticate)",
      "outcomes customer.failAuthentication",
    ],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "authentication_expired" });',
    reach: [
      "moves payment_intent: requires_action → processing (challenge_expired)",
      "timeRules payment_intent: challenge_expired",
    ],
  },
  {
    lines:
      'const { redirectUrl } = await client.paymentIntents.confirm((await make.intent()).id, { paymentMethodId: "pm_card_challenge" });\nsim.intents.cancel(sim.intents.last().id);',
    reach: ["moves payment_intent: requires_action → canceled (cancel)"],
  },
  {
    lines: 'await make.checkout({ status: "failed", decline: "authentication_failed" });',
    reach: ["moves checkout: processing → processing (challenge_closed)"],
  },
  {
    lines:
      '// assumptions: { "checkout.retry": 1 }\nconst { checkoutUrl } = await make.checkout();\nawait customer.pay(checkoutUrl, "pm_card_generic_decline");\nawait sim.clock.settle();',
    reach: ["moves checkout: processing → pending (decline)"],
  },
  {
    lines:
      'const { checkoutUrl } = await make.checkout();\nawait sim.clock.advance("23 hours 30 minutes");\nawait customer.pay(checkoutUrl, "pm_card_challenge");\nawait sim.clock.advance("31 minutes");',
    reach: ["moves checkout: processing → expired (expire)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "incomplete" });\nsim.faults.add({ kind: "processor.late", delay: "30 hours", times: 1 });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });\nawait sim.clock.advance("31 hours");',
    reach: ["moves subscription: incomplete → incomplete (first_payment_due)", "faults processor.late"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "incomplete" });\nsim.faults.add({ kind: "processor.late", delay: "30 hours", times: 1 });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_generic_decline" });\nawait sim.clock.advance("31 hours");',
    reach: ["moves subscription: incomplete → incomplete_cancelled (payment_failed)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "incomplete" });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_generic_decline" });\nawait sim.clock.settle();',
    reach: ["moves subscription: incomplete → incomplete (payment_failed)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "active" });\nconst plan = await client.plans.create({ name: "Other", amount: 20000, interval: "month" });\nawait client.subscriptions.changePlan(id, { planId: plan.id });',
    reach: ["moves subscription: active → active (change_plan)"],
  },
  {
    lines: 'await make.subscription({ status: "past_due", decline: "blocked" });',
    reach: ["moves subscription: active → active (change_method)"],
  },
  {
    lines: 'const { id } = await make.subscription({ status: "active" });\nawait client.subscriptions.cancel(id);',
    reach: ["moves subscription: active → cancelled (cancel)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "past_due" });\nconst plan = await client.plans.create({ name: "Other", amount: 20000, interval: "month" });\nawait client.subscriptions.changePlan(id, { planId: plan.id });',
    reach: ["moves subscription: past_due → past_due (change_plan)"],
  },
  {
    lines: 'await make.subscription({ status: "past_due", decline: "authentication_failed" });',
    reach: [
      "moves subscription: past_due → past_due (change_method)",
      "errors INVALID_REFRESH_TOKEN",
      "timeRules auth.token-lifetime",
    ],
  },
  {
    lines: 'const { id } = await make.subscription({ status: "past_due" });\nawait client.subscriptions.cancel(id);',
    reach: ["moves subscription: past_due → cancelled (cancel)"],
  },
  {
    lines:
      'const plan = await make.plan({ interval: "day" });\nawait make.subscription({ status: "past_due", planId: plan.id });\nawait sim.clock.advance("2 days");',
    reach: ["moves subscription: past_due → past_due (renew)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "past_due" });\nawait client.subscriptions.changePaymentMethod(id, { paymentMethodId: "pm_card_approved" });\nawait sim.clock.settle();',
    reach: ["moves subscription: past_due → active (recover)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nconst plan = await client.plans.create({ name: "Other", amount: 20000, interval: "month" });\nawait client.subscriptions.changePlan(id, { planId: plan.id });',
    reach: ["moves subscription: unpaid → unpaid (change_plan)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_processor_unavailable" }).catch((error) => error);',
    reach: ["moves subscription: unpaid → unpaid (change_method)", "moves invoice: open → open (replace_intent)"],
  },
  {
    lines: 'const { id } = await make.subscription({ status: "unpaid" });\nawait client.subscriptions.cancel(id);',
    reach: ["moves subscription: unpaid → cancelled (cancel)"],
  },
  {
    lines: 'await make.subscription({ status: "unpaid" });\nawait sim.clock.advance("32 days");',
    reach: ["moves subscription: unpaid → unpaid (renew)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_generic_decline" });\nawait sim.clock.settle();',
    reach: ["moves subscription: unpaid → unpaid (payment_failed)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nawait client.subscriptions.changePaymentMethod(id, { paymentMethodId: "pm_card_approved" });\nawait sim.clock.settle();',
    reach: ["moves subscription: unpaid → active (recover)"],
  },
  {
    lines:
      '// assumptions: { "subscription.cancel": "keep" }\nconst { id } = await make.subscription({ status: "past_due" });\nawait client.subscriptions.cancel(id);',
    reach: ["moves invoice: open → open (keep)"],
  },
  {
    lines:
      '// assumptions: { "subscription.off-session-challenge": "redirect" }\nconst { id } = await make.subscription({ status: "active" });\nawait client.subscriptions.changePaymentMethod(id, { paymentMethodId: "pm_card_challenge_always" });\nawait sim.clock.advance("32 days");',
    reach: ["moves invoice: charging → charging (challenge_opened)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nsim.faults.add({ kind: "processor.decline", code: "generic_decline", times: 1 });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });\nawait client.subscriptions.cancel(id);\nawait sim.clock.settle();',
    reach: ["moves invoice: charging → void (attempt_failed)", "faults processor.decline"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_challenge" });\nsim.intents.cancel(sim.intents.last().id);',
    reach: ["moves invoice: charging → open (attempt_canceled)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_challenge" });\nawait client.subscriptions.cancel(id);',
    reach: ["moves invoice: charging → void (void)"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "unpaid" });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });\nawait client.subscriptions.cancel(id);',
    reach: ["moves invoice: charging → charging (void_unless_paid)"],
  },
  {
    lines:
      '// assumptions: { "subscription.cancel": "keep" }\nconst { id } = await make.subscription({ status: "past_due" });\nawait client.subscriptions.processPayment({ subscriptionId: id, paymentMethodId: "pm_card_approved" });\nawait client.subscriptions.cancel(id);',
    reach: ["moves invoice: charging → charging (keep)"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nawait sim.fetch("/api/payment-intent", { method: "POST", headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" }, body: JSON.stringify({ amount: -1 }) });',
    reach: ["errors VALIDATION_ERROR"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nawait sim.fetch("/api/payment-intent", { method: "POST", headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" }, body: "{" });',
    reach: ["errors MALFORMED_JSON"],
  },
  {
    lines:
      'await client.paymentIntents.confirm((await make.intent()).id, { paymentMethodId: "pm_unknown" }).catch((error) => error);',
    reach: ["errors PAYMENT_METHOD_INVALID"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nconst pay = (amount) =>\n  sim.fetch("/api/payment-intent", {\n    method: "POST",\n    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json", "idempotency-key": "order-1" },\n    body: JSON.stringify({ amount }),\n  });\nawait pay(10000);\nawait pay(20000);',
    reach: ["errors IDEMPOTENCY_KEY_REUSED"],
  },
  {
    lines:
      'await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ grant_type: "password", client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret }) });',
    reach: ["errors UNSUPPORTED_GRANT_TYPE"],
  },
  {
    lines: 'await sim.fetch("/api/payment-intent", { method: "POST" });',
    reach: ["errors UNAUTHORIZED"],
  },
  {
    lines:
      'await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ client_id: "unknown", client_secret: "unknown" }) });',
    reach: ["errors INVALID_CREDENTIALS"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "insufficient_funds" });',
    reach: ["errors INSUFFICIENT_FUNDS", "outcomes pm_card_insufficient_funds"],
  },
  {
    lines:
      'const { id } = await make.intent({ status: "requires_action" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);',
    reach: ["errors 3D_SECURE_REQUIRED"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nawait sim.fetch("/api/nothing", { method: "GET", headers: { authorization: `Bearer ${accessToken}` } });',
    reach: ["errors NOT_FOUND"],
  },
  {
    lines:
      'await client.paymentIntents.confirm("pi_unknown", { paymentMethodId: "pm_card_approved" }).catch((error) => error);',
    reach: ["errors INTENT_NOT_FOUND"],
  },
  {
    lines: 'await client.plans.get("plan_unknown").catch((error) => error);',
    reach: ["errors PLAN_NOT_FOUND"],
  },
  {
    lines: 'await client.subscriptions.cancel("sub_unknown").catch((error) => error);',
    reach: ["errors SUBSCRIPTION_NOT_FOUND"],
  },
  {
    lines: 'await client.transactions.get("txn_unknown").catch((error) => error);',
    reach: ["errors TRANSACTION_NOT_FOUND"],
  },
  {
    lines: 'await sim.fetch("/pay/unknown");',
    reach: ["errors SESSION_NOT_FOUND"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nawait sim.fetch("/api/payment-intent", { method: "DELETE", headers: { authorization: `Bearer ${accessToken}` } });',
    reach: ["errors METHOD_NOT_ALLOWED"],
  },
  {
    lines:
      'const { id } = await make.subscription({ status: "cancelled" });\nawait client.subscriptions.cancel(id).catch((error) => error);',
    reach: ["errors INVALID_STATE"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nsim.faults.add({ kind: "response.late", route: "payment-intent.create", delay: "20 seconds", times: 1 });\nconst pay = () =>\n  sim.fetch("/api/payment-intent", {\n    method: "POST",\n    headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json", "idempotency-key": "order-1" },\n    body: JSON.stringify({ amount: 10000 }),\n  });\nconst first = pay();\nconst second = await pay();\nawait sim.clock.advance("1 minute");\nawait first;',
    reach: ["errors IDEMPOTENCY_KEY_IN_USE"],
  },
  {
    lines:
      'const { id } = await make.intent({ status: "succeeded" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);',
    reach: ["errors INTENT_ALREADY_CONFIRMED"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nawait sim.fetch("/api/payment-intent", { method: "POST", headers: { authorization: `Bearer ${accessToken}`, "content-type": "application/json" }, body: JSON.stringify({ amount: 10000, description: "a".repeat(2 ** 20) }) });',
    reach: ["errors BODY_TOO_LARGE"],
  },
  {
    lines:
      'const { accessToken } = await make.token();\nawait sim.fetch("/api/payment-intent", { method: "POST", headers: { authorization: `Bearer ${accessToken}`, "content-type": "text/plain" }, body: "amount" });',
    reach: ["errors UNSUPPORTED_MEDIA_TYPE"],
  },
  {
    lines:
      '// assumptions: { "http.rate-limit": { "requests": 2, "per": "1 minute" } }\nfor (const amount of [10000, 20000, 30000]) await client.paymentIntents.create({ amount }).catch((error) => error);',
    reach: ["errors RATE_LIMITED"],
  },
  {
    lines:
      'sim.faults.add({ kind: "request.status", route: "payment-intent.confirm", status: 503, times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults request.status"],
  },
  {
    lines:
      'sim.faults.add({ kind: "request.malformed", route: "payment-intent.confirm", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults request.malformed"],
  },
  {
    lines:
      'sim.faults.add({ kind: "request.refused", route: "payment-intent.confirm", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults request.refused"],
  },
  {
    lines:
      'sim.faults.add({ kind: "request.reset", route: "payment-intent.confirm", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults request.reset"],
  },
  {
    lines:
      'sim.faults.add({ kind: "request.hang", route: "payment-intent.confirm", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nconst answer = client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults request.hang"],
  },
  {
    lines:
      'sim.faults.add({ kind: "request.latency", route: "payment-intent.confirm", delay: "20 seconds", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nconst answer = client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults request.latency"],
  },
  {
    lines:
      'sim.faults.add({ kind: "response.lost", route: "payment-intent.confirm", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults response.lost"],
  },
  {
    lines:
      'sim.faults.add({ kind: "response.status", route: "payment-intent.confirm", status: 502, times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults response.status"],
  },
  {
    lines:
      'sim.faults.add({ kind: "response.truncated", route: "payment-intent.confirm", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults response.truncated"],
  },
  {
    lines:
      'sim.faults.add({ kind: "response.content-type", route: "payment-intent.confirm", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults response.content-type"],
  },
  {
    lines:
      'sim.faults.add({ kind: "response.late", route: "payment-intent.confirm", delay: "20 seconds", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nconst answer = client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults response.late"],
  },
  {
    lines:
      'sim.faults.add({ kind: "processor.unavailable", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults processor.unavailable"],
  },
  {
    lines:
      'sim.faults.add({ kind: "processor.stuck", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults processor.stuck"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.drop", event: "payment_intent.succeeded", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.drop"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.delay", event: "payment_intent.succeeded", delay: "20 minutes", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.delay"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.duplicate", event: "payment_intent.succeeded", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.duplicate"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.new-id", event: "payment_intent.succeeded", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.new-id"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.extra-fields", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.extra-fields"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.unknown-type", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.unknown-type"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.unknown-object", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.unknown-object"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.reorder", within: "1 minute", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.reorder"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.burst", within: "1 minute", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.burst"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.interleave", within: "1 minute", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.interleave"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.corrupt-body", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.corrupt-body"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.wrong-secret", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.wrong-secret"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.stale-timestamp", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.stale-timestamp"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.other-mode", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.other-mode"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.refused", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.refused"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.answer-lost", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.answer-lost"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.answer", status: 503, times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.answer"],
  },
  {
    lines:
      'sim.faults.add({ kind: "webhook.slow", delay: "45 seconds", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults webhook.slow", "timeRules webhook.timeout"],
  },
  {
    lines:
      'sim.faults.add({ kind: "clock.skew", by: "10 minutes", times: 1 });\nsim.connect("https://shop.example", app);\nconst { id } = await client.paymentIntents.create({ amount: 10000, webhookUrl: "https://shop.example/hooks" });\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }).catch((error) => error);\nawait sim.clock.advance("10 minutes");',
    reach: ["faults clock.skew"],
  },
  {
    lines: 'const { checkoutUrl } = await make.checkout();\nawait customer.pay(checkoutUrl, "pm_card_approved");',
    reach: ["outcomes customer.pay"],
  },
  {
    lines: 'await make.subscription({ status: "past_due", decline: "3D_SECURE_REQUIRED" });',
    reach: ["outcomes customer.authenticate", "outcomes pm_card_challenge_always"],
  },
  {
    lines: "const { checkoutUrl } = await make.checkout();\nawait customer.abandon(checkoutUrl);",
    reach: ["outcomes customer.abandon"],
  },
  {
    lines:
      'const { id } = await make.intent();\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_declined_after_challenge" }).catch((error) => error);',
    reach: ["outcomes pm_card_declined_after_challenge"],
  },
  {
    lines: 'await make.subscription({ status: "past_due", decline: "insufficient_funds" });',
    reach: ["outcomes pm_card_recovers"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "card_expired" });',
    reach: ["outcomes pm_card_expired"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "cvc_invalid" });',
    reach: ["outcomes pm_card_cvc_invalid"],
  },
  {
    lines:
      'const { id } = await make.intent();\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_generic_decline" }).catch((error) => error);',
    reach: ["outcomes pm_card_generic_decline"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "fraudulent" });',
    reach: ["outcomes pm_card_fraudulent"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "blocked" });',
    reach: ["outcomes pm_card_blocked"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "processor_blocked" });',
    reach: ["outcomes pm_card_processor_blocked"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "lost_card" });',
    reach: ["outcomes pm_card_lost"],
  },
  {
    lines: 'await make.intent({ status: "failed", decline: "stolen_card" });',
    reach: ["outcomes pm_card_stolen"],
  },
  {
    lines:
      'const { id } = await make.intent();\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_gcash" }).catch((error) => error);',
    reach: ["outcomes pm_gcash"],
  },
  {
    lines:
      'const { id } = await make.intent();\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_grab_pay" }).catch((error) => error);',
    reach: ["outcomes pm_grab_pay"],
  },
  {
    lines:
      'const { id } = await make.intent();\nawait client.paymentIntents.confirm(id, { paymentMethodId: "pm_display_details" }).catch((error) => error);',
    reach: ["outcomes pm_display_details"],
  },
  {
    lines: 'await make.checkout({ status: "failed", decline: "authentication_expired" });',
    reach: ["timeRules webhook.retries"],
  },
];
