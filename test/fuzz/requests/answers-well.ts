import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Simulator } from "../../../src/index.ts";
import type { AnsweredCall } from "../../../src/kit/http/answer-channel.ts";
import { contractUnder } from "../../contract/contract.ts";
import type { Populated } from "./every-status.ts";
import type { RandomRequest } from "./random-request.ts";

/** The test method whose first payment finds the processor down, by its id and its card. */
const DOWN = /pm_card_processor_unavailable|5500000000000194/;
const SAYS_SO = "processor is unavailable";

interface Seen {
  readonly status: number;
  readonly isReplayed: boolean;
  readonly text: string;
}

/** What came of the requests to a world. */
export interface Answered {
  /** How many requests were sent, with those that were repeated. */
  readonly requests: number;
  readonly statuses: readonly number[];
}

/**
 * Sends requests to a copy of a world, and checks the promises of every answer: it comes, it is not a 500, it is what the OpenAPI document
 * declares, and an idempotent call that is repeated is answered alike. Another copy gets only the requests that were not refused, and
 * none of them twice: both worlds have to be the same in the end, because a refusal changes nothing and a repeated call nothing more.
 * @throws the first promise that is broken
 */
export async function answersWell(world: Populated, requests: readonly RandomRequest[]): Promise<Answered> {
  const whole = new Line(world);
  const without = new Line(world);
  const statuses: number[] = [];
  for (const request of requests) {
    const first = await whole.send(request);
    statuses.push(first.status);
    if (first.status === 500) assert.ok(whole.isPlannedOutage(first, request), `an answer of 500: ${first.text}`);
    if (!isRefusal(first, request, world))
      assert.deepEqual(await without.send(request), first, "two worlds answer alike");
    const isRepeated = request.isIdempotent && request.headers["idempotency-key"] !== undefined;
    if (!isRepeated || first.status === 500) continue;
    const second = await whole.send(request);
    assert.deepEqual(
      [second.status, second.text],
      [first.status, first.text],
      "it was repeated, and answered otherwise",
    );
    assert.equal(second.isReplayed, first.status < 300 || first.status === 402, `a repeated answer of ${first.status}`);
  }
  assert.ok(whole.rows() === without.rows(), "a refusal or a repeated call has changed the world");
  await whole.end();
  await without.end();
  return { requests: whole.requests + without.requests, statuses };
}

/** A copy of the world, and the line to it. */
class Line {
  requests = 0;
  readonly #sim: Simulator;
  readonly #callers: Populated["callers"];

  constructor({ sim, callers }: Populated) {
    this.#sim = sim.fork();
    this.#sim.connect("https://shop.example", () => new Response());
    this.#callers = callers;
  }

  async send({ method, path, part, caller, headers, body, chunk }: RandomRequest): Promise<Seen> {
    const sim = this.#sim;
    this.requests += 1;
    const init: RequestInit & { duplex?: "half" } = {
      method,
      headers: { ...headers, ...this.#callers[caller] },
      redirect: "manual",
    };
    if (body !== undefined) {
      init.body = chunk === undefined ? (body as BodyInit) : streamed(body, chunk);
      init.duplex = "half";
    }
    const calls: AnsweredCall[] = [];
    const keep = (call: unknown): void => {
      calls.push(call as AnsweredCall);
    };
    subscribe("centavo:answer", keep);
    try {
      const response = await sim.fetch(`${part === "auth" ? sim.authUrl : sim.baseUrl}${path}`, init);
      assert.equal(calls.length, 1, "a call is answered once");
      for (const call of calls) assert.equal(contractUnder().contradictionOf(call), undefined);
      const isReplayed = response.headers.get("idempotent-replayed") === "true";
      return { status: response.status, isReplayed, text: await response.text() };
    } finally {
      unsubscribe("centavo:answer", keep);
    }
  }

  /** Whether a 500 is the one that a test method answers by design (`intent.moves`). */
  isPlannedOutage({ text }: Seen, request: RandomRequest): boolean {
    return DOWN.test(textOf(request)) && text.includes(SAYS_SO) && this.#failures().length === 0;
  }

  /** The world without its journal, which tells of refused requests too. */
  rows(): string {
    const { journal: _journal, forgotten: _forgotten, ...world } = this.#sim.snapshot().world;
    return JSON.stringify(world);
  }

  async end(): Promise<void> {
    await this.#sim.clock.settle();
    assert.deepEqual(this.#failures(), [], "the journal tells of a failure");
    await this.#sim.close();
  }

  #failures(): string[] {
    return this.#sim.journal.entries.flatMap(({ kind, details }) =>
      kind === "failure" ? [JSON.stringify(details)] : [],
    );
  }
}

/**
 * Whether an answer must leave the world as it was. Not a decline, nor a reused refresh token, nor what an idempotency key keeps, nor an
 * outage of the processor, which the hosted page tells in a page of status 400.
 */
function isRefusal({ status, text }: Seen, request: RandomRequest, { usedRefreshToken }: Populated): boolean {
  if (status < 400 || status === 500 || textOf(request).includes(usedRefreshToken)) return false;
  if (DOWN.test(textOf(request)) && text.includes(SAYS_SO)) return false;
  return status !== 402 || (request.headers["idempotency-key"] === undefined && !text.includes('"INSUFFICIENT_FUNDS"'));
}

function textOf({ body = "" }: RandomRequest): string {
  return typeof body === "string" ? body : new TextDecoder().decode(body);
}

function streamed(body: string | Uint8Array, chunk: number): ReadableStream<Uint8Array> {
  const bytes = typeof body === "string" ? new TextEncoder().encode(body) : body;
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += chunk)));
    },
  });
}
