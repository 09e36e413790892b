import { kitFaults } from "../../src/declaration/faults.ts";
import { resourcesOf } from "../../src/declaration/resource.ts";
import { defineService } from "../../src/declaration/service.ts";
import { addDuration } from "../../src/engine/duration.ts";
import type { Table } from "../../src/engine/table.ts";
import type { FaultOf } from "../../src/faults/declaration.ts";
import { HttpError } from "../../src/http/http-error.ts";
import { usualWebhookPolicies } from "../../src/webhooks/policies.ts";
import { chargeMachine, membershipMachine } from "./charge-machines.ts";
import { assumptionTable, bank, objectsOf, type Words } from "./charge-objects.ts";

const errors = {
  parameter_invalid: { status: 400, message: "The request is invalid" },
  key_invalid: { status: 401, message: "No such API key" },
  resource_missing: { status: 404, message: "No such object" },
  method_invalid: { status: 405, message: "This address does not take this method" },
  key_in_use: { status: 409, message: "The idempotency key belongs to another request" },
  unavailable: { status: 500, message: "Something went wrong on our side" },
};
const errorBody = (code: string, message: string, param?: string) => ({
  error: { type: code === "unavailable" ? "api_error" : "invalid_request_error", code, message, param },
});

const accounts = resourcesOf<Words, Table<{ readonly webhookUrl: string | undefined }>>()({
  name: "accounts",
  open: ({ engine }) => engine.table("accounts"),
  routes: [],
});

export const charges = objectsOf("charge", chargeMachine, ["charge.succeeded", "charge.failed"]);
const memberships = objectsOf("membership", membershipMachine, ["membership.renewed"]);
const resources = [accounts, charges, memberships] as const;

/** Another provider's charge API: forms in, bare objects out, and a membership that charges every month. */
export const chargeApi = defineService<Words, typeof resources>({
  name: "charge-api",
  resources,
  assumptions: assumptionTable,
  faults: ({ routes }, eventTypes) => [
    ...kitFaults({
      routes,
      eventTypes,
      eventFields: ["id", "object"],
      errorBody: () => errorBody("unavailable", errors.unavailable.message),
    }),
    bank,
  ],
  description: {
    info: { title: "Charges", version: "1" },
    security: { "secret-key": [{ secretKey: [] }] },
    securitySchemes: () => ({ secretKey: { type: "http", scheme: "bearer" } }),
    errors: {
      table: errors,
      unauthorized: "key_invalid",
    },
  },
  http: (_ground, of) => ({
    authenticate(_credential, { authorization = "" }) {
      const merchantId = /^Bearer sk_test_(\w+)$/.exec(authorization)?.[1] ?? "";
      if (of(accounts).get(merchantId) !== undefined) return { merchantId };
      throw new HttpError("key_invalid", 401, errors.key_invalid);
    },
    failure: ({ code, message, errors: [first] }) => errorBody(code, message, first?.path),
    idempotencyLifetime: () => "1 hour",
    unknownFields: () => "refuse",
  }),
  webhooks: () => ({
    ...usualWebhookPolicies,
    body: ({ id, type, createdAt }, content) =>
      JSON.stringify({ id, object: "event", type, created: Math.floor(createdAt / 1000), data: { object: content } }),
    secretOf: (account) => `whsec_${account}`,
    signature: () => ({ scheme: "stripe" }),
    retryAt: ({ retry, now }) => (retry > 3 ? undefined : addDuration(now, `${retry} hours`)),
  }),
  receiverOf: (account, of) => of(accounts).get(account)?.webhookUrl,
  begin: (of, { webhookUrl }) => of(accounts).set("acct_1", { webhookUrl }),
});

/** What can go wrong with it on purpose. */
export type ChargeFault = FaultOf<ReturnType<typeof kitFaults>[number] | typeof bank>;
