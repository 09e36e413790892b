import https from "node:https";
import axios from "axios";
import type { Fault } from "centavo";
import { intercept } from "centavo/node";
import type { Network } from "centavo/node";
import got from "got";
import ky from "ky";
import superagent from "superagent";
import * as undici from "undici";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { failureOf, waitingIntent } from "../../faults/waiting-intent.ts";
import type { WaitingIntent } from "../../faults/waiting-intent.ts";

interface Patience {
  readonly name: string;
  /** Sends the confirmation, and gives up after the client's own timeout. */
  readonly call: (url: string, waiting: WaitingIntent) => Promise<unknown>;
  readonly failure: Readonly<Record<string, unknown>>;
}

/** Long enough for the service to process the call on a busy machine, in milliseconds. */
const BRIEFLY = 500;

const clients: readonly Patience[] = [
  {
    name: "fetch with AbortSignal.timeout",
    call: (url, { confirmation }) => fetch(url, { ...confirmation, signal: AbortSignal.timeout(BRIEFLY) }),
    failure: { name: "TimeoutError" },
  },
  {
    name: "sim.fetch with AbortSignal.timeout",
    call: (url, { sim, confirmation }) => sim.fetch(url, { ...confirmation, signal: AbortSignal.timeout(BRIEFLY) }),
    failure: { name: "TimeoutError" },
  },
  {
    name: "axios with timeout",
    call: (url, { confirmation: { body, headers } }) => axios.post(url, body, { headers, timeout: BRIEFLY }),
    failure: { name: "AxiosError", code: "ECONNABORTED" },
  },
  {
    name: "got with timeout",
    call: (url, { confirmation: { body = "", headers } }) =>
      got.post(url, { body, headers, timeout: { request: BRIEFLY }, retry: { limit: 0 } }),
    failure: { name: "TimeoutError", code: "ETIMEDOUT" },
  },
  {
    name: "ky with timeout",
    call: (url, { confirmation }) => ky(url, { ...confirmation, timeout: BRIEFLY, retry: 0 }),
    failure: { name: "TimeoutError" },
  },
  {
    name: "superagent with timeout",
    call: (url, { confirmation: { body, headers } }) => superagent.post(url).set(headers).timeout(BRIEFLY).send(body),
    failure: { code: "ECONNABORTED", timeout: BRIEFLY },
  },
  {
    name: "undici with headersTimeout",
    call: (url, { confirmation: { body = "", headers } }) =>
      undici.request(url, { method: "POST", body, headers, headersTimeout: BRIEFLY }),
    failure: { code: "UND_ERR_HEADERS_TIMEOUT" },
  },
  {
    name: "node:https with timeout",
    call: (url, { confirmation: { body, headers } }) =>
      new Promise((resolve, reject) => {
        const request = https.request(url, { method: "POST", headers, timeout: BRIEFLY }, resolve);
        request.on("timeout", () => request.destroy(new Error("the merchant's patience is at its end")));
        request.on("error", reject).end(body);
      }),
    failure: { message: "the merchant's patience is at its end" },
  },
];

describe.each(clients)("the timeout of $name ends a hang", ({ call, failure }) => {
  let waiting: WaitingIntent;
  let network: Network;

  beforeEach(async () => {
    waiting = await waitingIntent();
    network = intercept(waiting.sim);
  });

  afterEach(() => network.close());

  const hangs: readonly [what: string, fault: Fault, status: string][] = [
    ["the service never got the call", { kind: "request.hang" }, "requires_payment_method"],
    ["the service processed the call", { kind: "response.lost", as: "hang" }, "processing"],
  ];

  test.each(hangs)("when %s", async (_, fault, status) => {
    const { sim, path, intentId } = waiting;
    sim.faults.add({ ...fault, times: 1 });
    expect(await failureOf(call(sim.baseUrl + path, waiting))).toMatchObject(failure);
    expect(sim.intents.get(intentId)?.status).toBe(status);
    expect(sim.clock.now()).toBe("2026-01-01T00:00:00.000Z");
  });
});
