import * as z from "zod/mini";
import type { Credentials } from "../../simulator/simulator.ts";
import type { CardDetails, Ledger } from "../../simulator/payment-service.ts";
import { anObject, asIs } from "./as-is.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const credentials = asIs<Credentials>({
  ...anObject,
  required: ["merchantId", "clientId", "clientSecret", "adminKey", "webhookSecret"],
  properties: {
    merchantId: { type: "string" },
    clientId: { type: "string" },
    clientSecret: { type: "string" },
    adminKey: { type: "string" },
    webhookSecret: { type: "string" },
  },
});

/** What a simulator says of itself, its ledger and its payment methods. */
export const paymentRoutes: readonly ControlRoute[] = [
  control({
    name: "about",
    summary: "Returns the addresses, the seed and the credentials of the world",
    method: "GET",
    path: "/about",
    data: z.object({ baseUrl: z.string(), authUrl: z.string(), seed: z.string(), credentials }),
    members: {
      baseUrl: { gives: "baseUrl", isProperty: true },
      authUrl: { gives: "authUrl", isProperty: true },
      seed: { gives: "seed", isProperty: true },
      credentials: { gives: "credentials", isProperty: true },
    },
    perform: ({ sim, baseUrl }) => ({
      baseUrl,
      authUrl: sim.authUrl === sim.baseUrl ? baseUrl : sim.authUrl,
      seed: sim.seed,
      credentials: sim.credentials,
    }),
  }),
  control({
    name: "ledger",
    summary: "Returns a double-entry ledger of every payment in one currency",
    method: "GET",
    path: "/ledger",
    query: z.object({ currency: z.exactOptional(z.string()) }),
    data: asIs<Ledger>({
      ...anObject,
      required: ["balance", "lines"],
      properties: { balance: { type: "number" }, lines: { type: "array", items: anObject } },
    }),
    members: { ledger: { takes: ["currency"] } },
    perform: ({ sim }, { query }) => sim.ledger(query.currency),
  }),
  control({
    name: "paymentMethods.create",
    summary: "Stores a card and returns its reusable id",
    method: "POST",
    path: "/payment-methods",
    body: asIs<CardDetails>({
      ...anObject,
      required: ["cardNumber", "expMonth", "expYear", "cvc"],
      properties: {
        cardNumber: { type: "string" },
        expMonth: { type: "string" },
        expYear: { type: "string" },
        cvc: { type: "string" },
      },
    }),
    data: z.object({ id: z.string() }),
    creates: true,
    members: { "paymentMethods.create": { gives: "id" } },
    perform: ({ sim }, { body }) => ({ id: sim.paymentMethods.create(body) }),
  }),
];
