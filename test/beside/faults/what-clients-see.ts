import type { Fault } from "centavo";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Answer, Client } from "../ways-in/clients.ts";
import type { OpenWay, Way } from "../../ways-in/ways.ts";
import { failureOf, waitingIntent, strikesIn } from "../../faults/waiting-intent.ts";
import type { WaitingIntent } from "../../faults/waiting-intent.ts";

/** An answer that a fault made or spoilt. */
interface Spoilt {
  readonly fault: Fault;
  readonly processed: boolean;
  readonly sees: (answer: Answer) => void;
}

const spoilt: readonly Spoilt[] = [
  {
    fault: { kind: "request.status", status: 503 },
    processed: false,
    sees: ({ status, body, contentType }) => {
      expect([status, contentType]).toEqual([503, "application/json"]);
      expect(JSON.parse(body)).toMatchObject({ success: false, code: "INTERNAL_ERROR", errors: [] });
    },
  },
  {
    fault: {
      kind: "request.status",
      status: 429,
      body: { wait: "please" },
      headers: { "Content-Type": "application/problem+json", "Retry-After": "120" },
    },
    processed: false,
    sees: ({ status, body, contentType }) => {
      expect([status, contentType, body]).toEqual([429, "application/problem+json", '{"wait":"please"}']);
    },
  },
  {
    fault: {
      kind: "request.status",
      status: 502,
      body: "<h1>Bad gateway</h1>",
      headers: { "content-type": "text/html" },
    },
    processed: false,
    sees: ({ status, body, contentType }) => {
      expect([status, contentType, body]).toEqual([502, "text/html", "<h1>Bad gateway</h1>"]);
    },
  },
  {
    fault: { kind: "request.malformed" },
    processed: false,
    sees: ({ status, body, contentType }) => {
      expect([status, contentType]).toEqual([200, "application/json"]);
      expect(() => void JSON.parse(body)).toThrow(SyntaxError);
    },
  },
  {
    fault: { kind: "request.malformed", body: "null and void" },
    processed: false,
    sees: ({ body }) => expect(body).toBe("null and void"),
  },
  {
    fault: { kind: "response.status", status: 504, body: "upstream timed out" },
    processed: true,
    sees: ({ status, body, contentType }) => {
      expect([status, contentType, body]).toEqual([504, "text/plain", "upstream timed out"]);
    },
  },
  {
    fault: { kind: "response.truncated" },
    processed: true,
    sees: ({ status, body, contentType }) => {
      expect([status, contentType]).toEqual([200, "application/json"]);
      expect(body).toMatch(/^\{"success":true,"data":\{"id":"pi_/);
      expect(() => void JSON.parse(body)).toThrow(SyntaxError);
    },
  },
  {
    fault: { kind: "response.truncated", keep: 16 },
    processed: true,
    sees: ({ body }) => expect(body).toBe('{"success":true,'),
  },
  {
    fault: { kind: "response.truncated", keep: 0 },
    processed: true,
    sees: ({ status, body }) => expect([status, body]).toEqual([200, ""]),
  },
  {
    fault: { kind: "response.content-type" },
    processed: true,
    sees: ({ status, body, contentType }) => {
      expect([status, contentType]).toEqual([200, "text/html"]);
      expect(JSON.parse(body)).toMatchObject({ success: true });
    },
  },
  {
    fault: { kind: "response.content-type", contentType: "text/plain; charset=utf-8", body: "Kapé ☕" },
    processed: true,
    sees: ({ body, contentType }) => expect([contentType, body]).toEqual(["text/plain; charset=utf-8", "Kapé ☕"]),
  },
];

/** A call that ends without an answer. */
interface Broken {
  readonly fault: Fault;
  readonly processed: boolean;
  /** The code of the failure; a server that listens cannot refuse a connection, it can only reset it. */
  readonly code: (way: string) => string;
}

const broken: readonly Broken[] = [
  {
    fault: { kind: "request.refused" },
    processed: false,
    code: (way) => (way === "a socket" ? "ECONNRESET" : "ECONNREFUSED"),
  },
  { fault: { kind: "request.reset" }, processed: false, code: () => "ECONNRESET" },
  { fault: { kind: "response.lost" }, processed: true, code: () => "ECONNRESET" },
  { fault: { kind: "response.lost", as: "reset" }, processed: true, code: () => "ECONNRESET" },
];

const silent: readonly { readonly fault: Fault; readonly processed: boolean }[] = [
  { fault: { kind: "request.hang" }, processed: false },
  { fault: { kind: "response.lost", as: "hang" }, processed: true },
];

const held: readonly { readonly fault: Fault; readonly processed: boolean }[] = [
  { fault: { kind: "request.latency", delay: "40 seconds" }, processed: false },
  { fault: { kind: "response.late", delay: { seconds: 40 } }, processed: true },
];

/**
 * Declares the tests of what real clients see through one way in. Each way has its own file, because axios keeps the `Request` of the first
 * way that it uses, and the next way does not understand Node's.
 */
export function describeWhatClientsSee(way: Way, clients: readonly Client[]): void {
  describe.each(clients)(`through ${way.name}, $name`, ({ call, codeOf }) => {
    let waiting: WaitingIntent;
    let opened: OpenWay;

    beforeEach(async () => {
      // MSW prints what a handler throws, a failure of the network included.
      vi.spyOn(console, "error").mockImplementation(() => undefined);
      waiting = await waitingIntent();
      opened = await way.open(waiting.sim);
    });

    afterEach(async () => {
      vi.restoreAllMocks();
      await opened[Symbol.asyncDispose]();
    });

    const confirm = (signal?: AbortSignal): Promise<Answer> =>
      call(
        opened.url + waiting.path,
        signal === undefined ? waiting.confirmation : { ...waiting.confirmation, signal },
      );

    /** The world and the journal after the fault, and the answer to a client that simply retries. */
    async function afterwards(kind: Fault["kind"], processed: boolean): Promise<void> {
      const { sim, intentId } = waiting;
      expect(sim.intents.get(intentId)?.status).toBe(processed ? "processing" : "requires_payment_method");
      expect(strikesIn(sim)).toEqual([{ kind, route: "payment-intent.confirm" }]);
      const again = await confirm();
      if (processed) expect(JSON.parse(again.body)).toMatchObject({ code: "INTENT_ALREADY_CONFIRMED" });
      else expect([again.status, JSON.parse(again.body)]).toMatchObject([200, { data: { status: "processing" } }]);
    }

    test.each(spoilt.map(named))("is answered as %s says", async (_, { fault, processed, sees }) => {
      waiting.sim.faults.add({ ...fault, route: "payment-intent.confirm", times: 1 } as Fault);
      sees(await confirm());
      await afterwards(fault.kind, processed);
    });

    test.each(broken.map(named))("fails with Node's own code under %s", async (_, { fault, processed, code }) => {
      waiting.sim.faults.add({ ...fault, route: "payment-intent.confirm", times: 1 } as Fault);
      expect(codeOf(await failureOf(confirm()))).toBe(code(way.name));
      await afterwards(fault.kind, processed);
    });

    test.each(silent.map(named))("waits until it gives up by itself under %s", async (_, { fault, processed }) => {
      const added = waiting.sim.faults.add({ ...fault, route: "payment-intent.confirm", times: 1 } as Fault);
      const controller = new AbortController();
      const outcome = failureOf(confirm(controller.signal));
      await added.struck();
      controller.abort();
      await outcome;
      await afterwards(fault.kind, processed);
    });

    test.each(held.map(named))("is answered when the clock has moved on under %s", async (_, { fault, processed }) => {
      const { sim, intentId } = waiting;
      const added = sim.faults.add({ ...fault, route: "payment-intent.confirm", times: 1 } as Fault);
      const answer = confirm();
      await added.struck();
      expect(sim.intents.get(intentId)?.status).toBe(processed ? "processing" : "requires_payment_method");
      await sim.clock.advance("40 seconds");
      const { status, body } = await answer;
      expect([status, JSON.parse(body)]).toMatchObject([200, { data: { id: intentId } }]);
      expect(sim.clock.now()).toBe("2026-01-01T00:00:40.000Z");
      expect(strikesIn(sim)).toEqual([{ kind: fault.kind, route: "payment-intent.confirm" }]);
    });
  });
}

function named<Row extends { readonly fault: Fault }>(row: Row): [name: string, row: Row] {
  return [JSON.stringify(row.fault), row];
}
