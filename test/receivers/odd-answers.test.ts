import { describe, expect, test } from "vitest";
import { createReceiver } from "../../src/kit/receivers/receiver.ts";
import type { ReceiverAnswer } from "../../src/kit/receivers/receiver-answer.ts";
import { unreadableValues } from "../thrown-values.ts";
import { Merchant } from "../merchant.ts";

const origin = "https://shop.example";

async function answerOf(answer: () => unknown, receiverTimeout = 60_000): Promise<ReceiverAnswer> {
  const receiver = createReceiver(origin, answer, { receiverTimeout });
  return receiver.send(new Request(`${origin}/hooks`, { method: "POST", body: "{}" }));
}

/** A body that always has another chunk at once, so that reading it never leaves the microtasks. */
function endless(chunk: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({ pull: (stream) => stream.enqueue(chunk) });
}

describe("an answer that never ends", () => {
  test("is given up after receiverTimeout when it consists of empty chunks", async () => {
    expect(await answerOf(() => new Response(endless(new Uint8Array())), 50)).toMatchObject({ reason: "timeout" });
  });

  test("is given up also when it does not stop when it is cancelled", async () => {
    const { promise: stopped, resolve: stop } = Promise.withResolvers<string>();
    let reads = 0;
    let readsAtTimeout = Infinity;
    const read = () => {
      reads += 1;
      if (reads === readsAtTimeout + 1000) stop("still reading");
      return Promise.resolve({ done: false, value: new Uint8Array() });
    };
    const body = { locked: false, getReader: () => ({ read, cancel: () => stop("cancelled") }) };
    expect(await answerOf(() => ({ status: 200, headers: new Headers(), body }), 50)).toMatchObject({
      reason: "timeout",
    });
    readsAtTimeout = reads;
    expect(await stopped).toBe("cancelled");
  });

  test("has answered once there is enough to show, and is cancelled", async () => {
    const chunk = new TextEncoder().encode("₱".repeat(100_000));
    const answer = await answerOf(() => new Response(endless(chunk), { status: 202 }));
    expect(answer).toEqual({ kind: "answered", status: 202, bodyExcerpt: "₱".repeat(500) });
  });
});

describe("an answer with a body that fails", () => {
  test.each(unreadableValues)("with %s is a broken connection", async (_, make) => {
    const body = new ReadableStream({ pull: (stream) => stream.error(make()) });
    expect(await answerOf(() => new Response(body))).toMatchObject({
      kind: "failed",
      reason: "reset",
      message: expect.stringMatching(/shop\.example broke off its answer to POST .*hooks: \S/) as unknown,
    });
  });

  test("with chunks that are no bytes is a broken connection", async () => {
    const body = new ReadableStream({ pull: (stream) => stream.enqueue("text") });
    expect(await answerOf(() => new Response(body as ReadableStream<Uint8Array>))).toMatchObject({ reason: "reset" });
  });

  test("is journaled as a failed attempt", async () => {
    const merchant = await Merchant.open({}, () => {
      return new Response(new ReadableStream({ pull: (stream) => stream.error(new Error("the disk is full")) }));
    });
    await merchant.pay({});
    await merchant.sim.clock.advance("1 second");
    expect(String(merchant.sim.journal)).toMatch(/attempt 1: failed \(reset\).* broke off .*the disk is full/);
  });
});

describe("an answer that only looks like a Response", () => {
  const throwing = (value: unknown) => ({
    get: () => {
      throw value;
    },
    enumerable: true,
  });
  const real = { status: 200, headers: new Headers(), body: null };

  test.each(unreadableValues)("whose parts throw %s is reported as a failure", async (_, make) => {
    for (const part of ["status", "headers", "body", "type"]) {
      const odd: unknown = Object.defineProperty({ ...real }, part, throwing(make()));
      expect(await answerOf(() => odd), part).toMatchObject({ kind: "failed", reason: "not-a-response" });
    }
  });

  test.each([99, 600, 200.5, Number.NaN, Infinity, -1])(
    "with the status %d is told which there are",
    async (status) => {
      expect(await answerOf(() => ({ ...real, status }))).toMatchObject({
        reason: "not-a-response",
        message: expect.stringContaining(`its status is ${status}, and HTTP has 100 to 599`) as unknown,
      });
    },
  );

  test("without headers that can be read is told as such", async () => {
    for (const headers of [null, undefined, {}, []])
      expect(await answerOf(() => ({ ...real, headers }))).toMatchObject({ reason: "not-a-response" });
  });

  test("with headers of another type has answered without them", async () => {
    const headers = { get: () => ({ toString: () => "soon" }) };
    expect(await answerOf(() => ({ ...real, headers }))).toEqual({ kind: "answered", status: 200 });
  });

  test("with another kind of stream has answered", async () => {
    for (const body of [undefined, "text", { pipe: () => undefined }])
      expect(await answerOf(() => ({ ...real, body }))).toEqual({ kind: "answered", status: 200 });
  });

  test("or is a revoked proxy is told as such", async () => {
    const { proxy, revoke } = Proxy.revocable(
      { ...real },
      { get: (target, key) => (key === "then" ? undefined : (Reflect.get(target, key) as unknown)) },
    );
    expect(
      await answerOf(() => {
        queueMicrotask(revoke);
        return Promise.resolve(proxy);
      }),
    ).toMatchObject({ kind: "failed" });
  });
});
