import * as z from "zod/mini";
import { ApiError } from "../api-error.ts";
import { errorPage } from "../page.ts";
import { defineRoute } from "../route.ts";
import { pagePaths, pathsOfDocument } from "../wire/paths.ts";
import type { PaymentIntents } from "./commands.ts";
import { challengePage, leadBack } from "./page.ts";
import {
  confirmation,
  confirmIntentBody,
  createdIntent,
  createIntentBody,
  intentPath,
  intentStatusResult,
} from "../schemas/payment-intents.ts";

const route = defineRoute<PaymentIntents>();
const challengePath = z.object({ challengeId: z.string() });

/** Payment intents (4.1), and the page on which a customer authenticates. */
export const paymentIntentRoutes = [
  route({
    name: "payment-intent.create",
    /** Creates a payment intent (4.1, answer 2.2). */
    client: "paymentIntents.create",
    summary: "Create a payment intent",
    source: "4.1",
    service: "api",
    method: "POST",
    path: pathsOfDocument["payment-intent.create"],
    credential: "bearer",
    body: createIntentBody,
    data: createdIntent,
    creates: true,
    errors: [],
    assumes: [
      "intent.create-fields",
      "intent.pending",
      "intent.fee",
      "intent.ids",
      "intent.payment-methods",
      "intent.session-token",
      "intent.currency",
      "http.external-id",
      "http.bounds",
      "http.minimum-amount",
      "http.texts",
      "http.metadata",
      "http.bodies",
    ],
    check: (fields, intents) => intents.problemsOfNew(fields),
    handle: ({ body, merchantId }, intents) => ({ data: intents.create(merchantId, body) }),
  }),
  route({
    name: "payment-intent.confirm",
    /**
     * Confirms an intent with `paymentMethodId`, or in the SDK's form with `paymentMethod`, `creditCardDetails` and `contact` (4.1,
     * answer 2.4).
     * @throws {ServiceError} `INSUFFICIENT_FUNDS`, `3D_SECURE_REQUIRED` (with `redirectUrl`), `INTENT_ALREADY_CONFIRMED`, `PAYMENT_METHOD_INVALID`
     */
    client: "paymentIntents.confirm",
    summary: "Confirm a payment intent with a payment method",
    source: "4.1",
    service: "api",
    method: "POST",
    path: pathsOfDocument["payment-intent.confirm"],
    credential: "bearer-or-client-key",
    params: intentPath,
    body: confirmIntentBody,
    data: confirmation,
    errors: [
      "INTENT_NOT_FOUND",
      "INTENT_ALREADY_CONFIRMED",
      "PAYMENT_METHOD_INVALID",
      "INSUFFICIENT_FUNDS",
      "3D_SECURE_REQUIRED",
    ],
    assumes: [
      "intent.confirm-request",
      "intent.card-details",
      "intent.confirm-response",
      "intent.moves",
      "intent.decline",
      "intent.confirm-twice",
      "intent.challenge-error",
      "intent.display-details",
      "intent.processing-time",
      "intent.contact",
      "http.texts",
      "intent.methods",
      "intent.cards",
    ],
    find: ({ params, caller }, intents) => void intents.opened(params.intentId, caller),
    check: ({ params, body, merchantId }, intents) => intents.methodProblems(merchantId, params.intentId, body),
    handle({ params, body, caller, publicUrl }, intents) {
      const confirmed = intents.confirm(params.intentId, body, caller, publicUrl);
      return "declined" in confirmed ? confirmed : { data: confirmed };
    },
  }),
  route({
    name: "payment-intent.status",
    /** Reads an intent's status (4.1, answer 2.3). */
    client: "paymentIntents.status",
    summary: "Read the status of a payment intent",
    source: "4.1",
    service: "api",
    method: "GET",
    path: pathsOfDocument["payment-intent.status"],
    credential: "bearer-or-client-key",
    params: intentPath,
    data: intentStatusResult,
    errors: ["INTENT_NOT_FOUND"],
    assumes: ["auth.other-merchants", "intent.pending", "time.format", "http.bodies"],
    handle: ({ params, caller }, intents) => ({ data: intents.status(params.intentId, caller) }),
  }),
  route({
    name: "challenge.show",
    summary: "Open the challenge page",
    source: "checkout.url",
    service: "api",
    method: "GET",
    path: pagePaths.challenge,
    credential: "none",
    errorPage,
    params: challengePath,
    errors: ["NOT_FOUND"],
    assumes: ["checkout.url"],
    handle({ params, asksForPage }, intents) {
      const intent = intents.byChallenge(params.challengeId);
      if (intent === undefined) throw new ApiError("NOT_FOUND", { message: "The challenge does not exist" });
      return { raw: challengePage(intent, intents, asksForPage) };
    },
  }),
  route({
    name: "challenge.answer",
    summary: "Pass or fail a challenge",
    source: "checkout.url",
    service: "api",
    method: "POST",
    path: pagePaths.challenge,
    credential: "none",
    errorPage,
    params: challengePath,
    body: z.object({ result: z.enum(["pass", "fail"]) }),
    accepts: ["form"],
    idempotent: false,
    errors: ["NOT_FOUND"],
    assumes: ["checkout.url", "intent.authentication", "intent.return"],
    handle({ params, body }, intents) {
      const intent = intents.authenticate(params.challengeId, body.result === "pass");
      return { raw: leadBack(intent, intents) };
    },
  }),
];
