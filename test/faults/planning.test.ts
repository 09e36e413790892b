import { createSimulator, type Fault, type Simulator } from "centavo";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Merchant } from "../merchant.ts";
import { declinedOf } from "./charges.ts";

const decline = { kind: "processor.decline", code: "blocked" } as const;

describe("a fault that is added", () => {
  test("has a name, the next number unless the test gives another, and is listed in the order of adding", () => {
    const { faults } = createSimulator();
    const ids = [decline, { ...decline, id: "mine" }, decline].map((fault) => faults.add(fault).id);
    expect(ids).toEqual(["fault_1", "mine", "fault_3"]);
    expect(faults.list()).toEqual(
      ids.map((id) => ({ id, fault: id === "mine" ? { ...decline, id } : decline, occasions: 0, hits: 0 })),
    );
  });

  test("never takes a name that is taken, nor one that is free again", () => {
    const { faults } = createSimulator();
    faults.add({ ...decline, id: "fault_2" });
    expect(faults.add(decline).id).toBe("fault_3");
    expect(faults.add(decline).id).toBe("fault_4");
    faults.clear();
    expect(faults.add(decline).id).toBe("fault_5");
  });

  test("says how often it has fired, also after it is removed", async () => {
    const merchant = await Merchant.open();
    const fault = merchant.sim.faults.add({ ...decline, times: 2 });
    expect(fault.hits).toBe(0);
    await declinedOf(merchant, 1);
    expect(fault.hits).toBe(1);
    await declinedOf(merchant, 2);
    expect(merchant.sim.faults.list()).toMatchObject([{ occasions: 3, hits: 2 }]);
    fault.remove();
    expect(fault.hits).toBe(2);
    expect(merchant.sim.faults.list()).toEqual([]);
  });

  test("may be removed twice, and its handle never removes a later fault of the same name", () => {
    const { faults } = createSimulator();
    const first = faults.add({ ...decline, id: "mine" });
    first.remove();
    first.remove();
    const second = faults.add({ ...decline, id: "mine" });
    first.remove();
    expect(faults.list()).toHaveLength(1);
    second.remove();
    expect(faults.list()).toEqual([]);
  });

  test("counts only its own hits, even if an earlier fault had its name", async () => {
    const merchant = await Merchant.open();
    const first = merchant.sim.faults.add({ ...decline, id: "mine" });
    await declinedOf(merchant, 2);
    first.remove();
    const second = merchant.sim.faults.add({ ...decline, id: "mine" });
    await declinedOf(merchant, 1);
    expect([first.hits, second.hits]).toEqual([2, 1]);
  });

  test("struck() resolves for a removed fault that had fired that often", async () => {
    const merchant = await Merchant.open();
    const fault = merchant.sim.faults.add(decline);
    await declinedOf(merchant, 2);
    fault.remove();
    await fault.struck();
    await fault.struck(2);
    await expect(fault.struck(3)).rejects.toMatchObject({
      code: "INVALID_STATE",
      message:
        "struck(3) of the fault fault_1: it was removed after it had fired 2 times. sim.faults.remove, clear and sim.reset() remove faults; await struck() before them.",
    });
  });

  test("rejects struck() when it is removed", async () => {
    const { faults } = createSimulator();
    const fault = faults.add(decline);
    const waiting = fault.struck();
    faults.clear();
    await expect(waiting).rejects.toMatchObject({
      code: "INVALID_STATE",
      message:
        "struck(1) of the fault fault_1: it was removed before it fired. sim.faults.remove, clear and sim.reset() remove faults; await struck() before them.",
    });
  });

  test.each([
    [{}, 0, "struck(0) of the fault fault_1: times must be a whole number of at least 1."],
    [{}, 1.5, "struck(1.5) of the fault fault_1: times must be a whole number of at least 1."],
    [{}, Number.NaN, "struck(NaN) of the fault fault_1: times must be a whole number of at least 1."],
    [{}, Infinity, "struck(Infinity) of the fault fault_1: times must be a whole number of at least 1."],
    [{}, "2", 'struck("2") of the fault fault_1: times must be a whole number of at least 1.'],
    [
      { times: 1 },
      2,
      "struck(2) of the fault fault_1: it never fires more than once, because its times is 1. Await fewer, or plan the fault to fire more often.",
    ],
    [
      { nth: 3 },
      2,
      "struck(2) of the fault fault_1: it never fires more than once, because its nth is 3. Await fewer, or plan the fault to fire more often.",
    ],
  ])("%j cannot be waited for to strike %s times", async (extra, times, message) => {
    const fault = createSimulator().faults.add({ ...decline, ...extra });
    await expect(fault.struck(times as number)).rejects.toMatchObject({ code: "INVALID_OPTION", message });
  });

  test("is unused until it fires, however many occasions it lets pass", async () => {
    const merchant = await Merchant.open();
    const [never, later] = [
      { ...decline, resource: "pi_nobody" },
      { ...decline, after: 1 },
    ].map((fault) => merchant.sim.faults.add(fault));
    const unused = () => merchant.sim.faults.unused().map(({ id }) => id);
    expect(unused()).toEqual([never?.id, later?.id]);
    await declinedOf(merchant, 1);
    expect(unused()).toEqual([never?.id, later?.id]);
    await declinedOf(merchant, 1);
    expect(unused()).toEqual([never?.id]);
  });

  test("no longer fires once it is removed, and the others do", async () => {
    const merchant = await Merchant.open();
    const { faults } = merchant.sim;
    const first = faults.add({ ...decline, times: 1 });
    const second = faults.add({ ...decline, nth: 1, id: "second" });
    faults.remove(first.id);
    expect(faults.list().map(({ id }) => id)).toEqual(["second"]);
    expect(await declinedOf(merchant, 2)).toEqual([1]);
    expect([first.hits, second.hits]).toEqual([0, 1]);
    faults.add(decline);
    faults.clear();
    expect(faults.list()).toEqual([]);
    expect(await declinedOf(merchant, 2)).toEqual([]);
  });

  test.each([
    ["none is planned", () => undefined],
    [
      "planned are fault_1, mine",
      ({ faults }: Simulator) => [decline, { ...decline, id: "mine" }].map((fault) => faults.add(fault)),
    ],
  ])("cannot be removed under a name that no fault has: %s", (known, plan) => {
    const sim = createSimulator();
    plan(sim);
    expect(() => sim.faults.remove("fault_9")).toThrow(`faults.remove("fault_9"): there is no such fault; ${known}.`);
  });

  test("is written in the journal when it is planned, when it fires and when it is removed", async () => {
    const merchant = await Merchant.open();
    const fault = merchant.sim.faults.add({ ...decline, id: "mine" });
    await declinedOf(merchant, 1);
    fault.remove();
    const acts = merchant.sim.journal.entries.filter(({ kind }) => kind === "fault").map(({ details }) => details);
    expect(acts).toMatchObject([
      { act: "add", id: "mine", ...decline },
      { act: "strike", id: "mine", kind: decline.kind, hit: 1 },
      { act: "remove", id: "mine" },
    ]);
  });
});

describe("a fault is plain JSON", () => {
  const faults: Fault[] = [
    { ...decline, id: "mine", times: 2, after: 1, probability: 0.5, from: 0, until: "2030-01-01" },
    { kind: "processor.late", delay: { hours: 1, minutes: 30 }, nth: 3, customer: "absent" },
    {
      kind: "request.status",
      status: 503,
      body: { error: [1, null, { deep: true }] },
      headers: { "retry-after": "5" },
    },
    { kind: "webhook.drop", event: "subscription.*", merchant: "mer_1" },
    { kind: "clock.skew", by: "PT10M", direction: "behind" },
  ];

  test("so that what is listed may be kept in a file and planned again", () => {
    const sim = createSimulator();
    for (const fault of faults) sim.faults.add(fault);
    const kept = JSON.parse(JSON.stringify(sim.faults.list())) as ReturnType<Simulator["faults"]["list"]>;
    expect(kept).toEqual(sim.faults.list());
    expect(kept.map(({ fault }) => fault)).toEqual(faults);
    const other = createSimulator();
    for (const { fault } of kept) other.faults.add(fault);
    expect(other.faults.list()).toEqual(sim.faults.list());
  });

  test("and cannot be changed from outside, neither through what was given nor through what is listed", () => {
    const sim = createSimulator();
    const errors = ["first"];
    sim.faults.add({ kind: "request.status", status: 503, body: { errors } });
    const before = structuredClone(sim.faults.list());
    errors.push("second");
    for (const listed of [...sim.faults.list(), ...sim.faults.unused()])
      Object.assign(listed, { hits: 7 }, Object.assign(listed.fault, { kind: "request.reset", body: 1 }));
    expect(sim.faults.list()).toEqual(before);
  });

  test("in which undefined is the same as absent", () => {
    const sim = createSimulator();
    sim.faults.add({ ...decline, times: undefined, resource: undefined });
    expect(Object.keys(sim.faults.list()[0]?.fault ?? {})).toEqual(["kind", "code"]);
  });
});

test.each<Fault>([
  { kind: "response.lost", route: "payment-intent.confirm", method: "POST", path: "/api/payment-intent/*" },
  { kind: "response.lost", route: "checkout.page", path: "/pay/*" },
  { kind: "response.lost", route: "checkout.page", path: "/pay/a-session" },
  { kind: "response.lost", route: "payment-intent.confirm", path: "/*/payment-intent/pi_1/*" },
  { kind: "response.lost", path: "/nowhere" },
  { kind: "response.lost", paymentMethod: "gcash" },
  { kind: "processor.stuck", paymentMethod: "pm_0123456789abcdefABCDEFGH" },
  { kind: "webhook.duplicate", delay: "0 s" },
  { kind: "webhook.new-id", delay: "0 s" },
  { kind: "webhook.unknown-type", type: "payment_intent.reviewed" },
])("a fault that can fire is planned: %j", (fault) => {
  const { faults } = createSimulator();
  faults.add(fault);
  expect(faults.list()).toMatchObject([{ fault }]);
});

/** A value of few objects, each of which holds the one before twice. */
function doubled(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = { a: value, b: value };
  return value;
}

function nested(levels: number): unknown {
  let value: unknown = [];
  for (let level = 1; level < levels; level += 1) value = [value];
  return value;
}

test("a fault with a body as deep as a body may be is planned, and its world restored", () => {
  const sim = createSimulator();
  sim.faults.add({ kind: "request.status", status: 503, body: nested(32) as Fault & [] });
  const other = createSimulator();
  other.restore(JSON.parse(JSON.stringify(sim.snapshot())) as ReturnType<Simulator["snapshot"]>);
  expect(other.faults.list()).toEqual(sim.faults.list());
});

describe("an invalid fault is refused, and the world stays as it was:", () => {
  const cyclic: { self?: object } = {};
  cyclic.self = cyclic;
  let doubledLists: unknown[] = [];
  for (let level = 1; level < 60; level += 1) doubledLists = [doubledLists, doubledLists];
  const getter = {
    ...decline,
    get times(): number {
      throw new Error("no times today");
    },
  };

  const refusals: readonly [string, unknown, RegExp][] = [
    [
      "a kind with a slip",
      { kind: "processor.declin" },
      /kind is "processor\.declin"; the nearest is "processor\.decline"\. Known are request\.status,/,
    ],
    ["no kind", {}, /kind is undefined\. Known are request\.status,/],
    ["a kind of another type", { kind: ["processor.decline"] }, /kind is \["processor\.decline"\]\. Known are/],
    ["a kind that every object has", { kind: "constructor" }, /kind is "constructor"/],
    ["an inherited kind", Object.create({ kind: "request.reset" }), /kind is undefined/],
    [
      "a route with a slip",
      { kind: "request.reset", route: "payment-intent.confrim" },
      /route is "payment-intent\.confrim"; the nearest is "payment-intent\.confirm"\. Known are payment-intent\.create,/,
    ],
    [
      "a route with a star that matches none",
      { kind: "request.reset", route: "payment-intents.*" },
      /route is "payment-intents\.\*"(; the nearest is "payment-intent\.\w+")?\. Known are payment-intent\.create,/,
    ],
    [
      "an event with a slip",
      { kind: "webhook.drop", event: "subscription.pastdue" },
      /event is "subscription\.pastdue"; the nearest is "subscription\.past_due"/,
    ],
    [
      "a pattern that matches no event",
      { kind: "webhook.drop", event: "invoice.*" },
      /event is "invoice\.\*"\. Known are payment_intent/,
    ],
    [
      "a decline code with a slip",
      { ...decline, code: "insuficient_funds" },
      /code is "insuficient_funds"; the nearest is "insufficient_funds"\. Known are generic_decline,/,
    ],
    [
      "a window that is over already",
      { ...decline, until: "2026-01-01T00:00:00Z" },
      /until is "2026-01-01T00:00:00Z", and the clock stands at 2026-01-01T00:00:00\.000Z already/,
    ],
    ["a decline code with a star", { ...decline, code: "*" }, /code is "\*"/],
    ["no decline code", { kind: "processor.decline" }, /code is undefined/],
    [
      "a field with a slip",
      { ...decline, resuorce: "pi_1" },
      /the fault has no field "resuorce"; the nearest is "resource"/,
    ],
    [
      "a field of another kind",
      { kind: "clock.skew", by: "1 h", resource: "pi_1" },
      /the fault has no field "resource"/,
    ],
    ["a field that every object has", { ...decline, toString: 1 }, /the fault has no field "toString"/],
    [
      "a prototype as a field",
      JSON.parse('{ "kind": "request.reset", "__proto__": { "times": 1 } }'),
      /the fault has no field "__proto__"/,
    ],
    [
      "two fields with slips",
      { ...decline, time: 1, untill: 2 },
      /no field "time"; the nearest is "times".*no field "untill"; the nearest is "until"/,
    ],
    ["times of 0", { ...decline, times: 0 }, /times is 0: it takes a whole number of at least 1\.$/],
    ["times that are not a whole number", { ...decline, times: 1.5 }, /times is 1\.5/],
    ["times as text", { ...decline, times: "1" }, /times is "1"/],
    ["infinite times, which is already the default", { ...decline, times: Infinity }, /times is Infinity/],
    ["a negative after", { ...decline, after: -1 }, /after is -1/],
    ["the 0th", { ...decline, nth: 0 }, /nth is 0/],
    ["a function", { ...decline, times: () => 1 }, /times is \(\) => 1/],
    [
      "a probability above 1",
      { ...decline, probability: 1.01 },
      /probability is 1\.01: it takes a number from 0 to 1\.$/,
    ],
    ["a probability below 0", { ...decline, probability: -0.01 }, /probability is -0\.01/],
    ["a probability that is not a number", { ...decline, probability: Number.NaN }, /probability is NaN/],
    [
      "nth together with times",
      { ...decline, nth: 2, times: 1 },
      /nth is 2, which already says how often and when; leave out times/,
    ],
    [
      "nth together with after",
      { ...decline, nth: 2, after: 1 },
      /nth is 2, which already says how often and when; leave out after/,
    ],
    [
      "a window that ends before it begins",
      { ...decline, from: "2026-02-01", until: "2026-01-01" },
      /until is "2026-01-01", which must be later than from, "2026-02-01"/,
    ],
    [
      "an empty window",
      { ...decline, from: "2026-02-01", until: "2026-02-01T08:00:00+08:00" },
      /must be later than from/,
    ],
    [
      "text that is not a moment",
      { ...decline, from: "tomorrow" },
      /from is "tomorrow": write it as "2026-03-01T00:00:00Z" or as a number of milliseconds since 1970\.$/,
    ],
    [
      "a moment that is not a number",
      { ...decline, until: Number.NaN },
      /until is NaN: write it as "2026-03-01T00:00:00Z" or as a number of milliseconds since 1970/,
    ],
    [
      "a Date, which JSON does not have",
      { ...decline, from: new Date(0) },
      /from is "1970-01-01T00:00:00\.000Z": write it as/,
    ],
    [
      "text that is not a duration",
      { kind: "processor.late", delay: "soon" },
      /delay is "soon": The duration "soon" was not understood/,
    ],
    ["a duration without a unit", { kind: "processor.late", delay: 5 }, /delay is 5: write it as "40 s"/],
    ["a duration without a length", { kind: "processor.late", delay: "1 month" }, /delay is "1 month": .*use days/],
    ["a negative duration", { kind: "clock.skew", by: "-1 s" }, /by is "-1 s": .*negative/],
    [
      "a duration that leads out of the calendar",
      { kind: "processor.late", delay: "36501 days" },
      /delay is "36501 days": it takes at most 36500 days/,
    ],
    ["no duration", { kind: "processor.late" }, /delay is undefined/],
    ["another direction", { kind: "clock.skew", by: "1 s", direction: "sideways" }, /direction is "sideways"/],
    ["another stamp", { kind: "clock.skew", by: "1 s", stamp: "postage" }, /stamp is "postage"/],
    ["another customer", { ...decline, customer: "asleep" }, /customer is "asleep"/],
    ["an empty id", { ...decline, id: "" }, /id is ""/],
    ["an id of another type", { ...decline, id: 1n }, /id is 1/],
    ["an empty resource", { ...decline, resource: "" }, /resource is ""/],
    ["a body that is not JSON", { kind: "request.status", status: 500, body: () => 1 }, /body is \(\) => 1/],
    [
      "a body that holds itself",
      { kind: "request.status", status: 500, body: cyclic },
      /body is .*: it is nested deeper than 32 levels, or holds itself/,
    ],
    [
      "a status that is not an error",
      { kind: "request.status", status: 200 },
      /status is 200: it takes a whole number from 400 to 599\.$/,
    ],
    ["no status", { kind: "request.status" }, /it has neither status nor code; give one of the two\.$/],
    ["a status of a webhook's answer", { kind: "webhook.answer", status: 600 }, /whole number from 200 to 599\.$/],
    ["a field that throws", getter, /a fault is plain JSON, and this is not: no times today/],
    [
      "a method that HTTP writes otherwise",
      { kind: "request.reset", method: "post" },
      /method is "post": it takes "GET" or "POST" or "PATCH" or "DELETE"\.$/,
    ],
    ["a path that begins nowhere", { kind: "request.reset", path: "api" }, /path is "api": it begins with a slash/],
    [
      "a path with a query",
      { kind: "request.reset", path: "/api/transactions?status=x" },
      /path is .*: it takes no query and no fragment; give the path alone\.$/,
    ],
    ["a path with a fragment", { kind: "request.reset", path: "/pay/*#top" }, /it takes no query and no fragment/],
    [
      "a route with a method that is not its own",
      { kind: "response.lost", route: "checkout.create", method: "GET" },
      /method is "GET", and the route checkout\.create is POST \/api\/checkout; leave out one of the two\.$/,
    ],
    [
      "a route with a path that is not its own",
      { kind: "response.lost", route: "payment-intent.confirm", path: "/api/payment-intent/*/status" },
      /path is .*, and the route payment-intent\.confirm is POST \/api\/payment-intent\/\{intentId\}\/confirm;/,
    ],
    [
      "a test method with a slip",
      { kind: "response.lost", paymentMethod: "pm_card_stollen" },
      /paymentMethod is "pm_card_stollen"; the nearest is "pm_card_stolen"\. Known are card, /,
    ],
    [
      "a kind of payment method that there is not",
      { kind: "processor.stuck", paymentMethod: "visa" },
      /paymentMethod is "visa"\. Known are card, gcash, grab_pay, pm_card_approved,/,
    ],
    [
      "a kind of payment method with a slip",
      { kind: "processor.stuck", paymentMethod: "grabpay" },
      /paymentMethod is "grabpay"; the nearest is "grab_pay"/,
    ],
    [
      "an unknown type that everybody knows",
      { kind: "webhook.unknown-type", type: "payment_intent.failed" },
      /type is "payment_intent\.failed", which every merchant knows; give one that the service does not have\.$/,
    ],
    [
      "extra fields that every event has",
      { kind: "webhook.extra-fields", fields: { id: "evt_x", more: 1, data: null } },
      /fields has id, data, which the event has itself; it takes only additional fields\.$/,
    ],
    [
      "a header that follows from the answer",
      { kind: "request.status", status: 503, headers: { "Content-Length": "3" } },
      /headers\.Content-Length is "3": content-length, transfer-encoding and connection follow from the answer itself\.$/,
    ],
    [
      "two headers that follow from the answer",
      { kind: "webhook.answer", status: 503, headers: { "transfer-encoding": "chunked", connection: "close" } },
      /headers\.transfer-encoding is "chunked": content-length.*headers\.connection is "close": content-length/,
    ],
    [
      "a header with a name that HTTP cannot carry",
      { kind: "request.status", status: 503, headers: { "retry after": "5" } },
      /headers\.retry after is "5": this is not a header name\.$/,
    ],
    [
      "a name that forges lines of the journal",
      { ...decline, id: "a\n2026-01-01 forged\u001B[31m" },
      /id is .*: it takes no control characters\.$/,
    ],
    [
      "a field that has another name in faults",
      { kind: "webhook.drop", type: "payment_intent.succeeded" },
      /the fault has no field "type"; you may mean "event"\.$/,
    ],
    [
      "a field that has another name in the OpenAPI document",
      { kind: "response.lost", operationId: "checkout.create" },
      /the fault has no field "operationId"; you may mean "route"\.$/,
    ],
    [
      "a field that is like none",
      { kind: "processor.stuck", colour: "red" },
      /the fault has no field "colour"; its fields are kind, id, times,/,
    ],
    [
      "a body of shared values that is small only in memory",
      { kind: "request.status", status: 503, body: doubled(24) },
      /body is .*: as JSON it has more than 100000 values\. Give a smaller value\.$/,
    ],
    [
      "a body of shared lists that is too deep",
      { kind: "request.status", status: 503, body: doubledLists },
      /body is .*: it is nested deeper than 32 levels, or holds itself/,
    ],
    [
      "a body of shared values that is too deep",
      { kind: "request.status", status: 503, body: doubled(60) },
      /body is .*: it is nested deeper than 32 levels, or holds itself/,
    ],
    ...[33, 600, 20_000].flatMap((levels): [string, unknown, RegExp][] => [
      [
        `a body of ${levels} levels`,
        { kind: "response.status", status: 500, body: nested(levels) },
        /body is (\[{9}.*|a value .*): it is nested deeper than 32 levels, or holds itself\. Give a flatter value\.$/,
      ],
      [
        `a field of an event of ${levels} levels`,
        { kind: "webhook.extra-fields", fields: { more: nested(levels) } },
        /fields is .*: it is nested deeper than 32 levels/,
      ],
    ]),
    ["a kind that is like none", { kind: "broken" }, /kind is "broken"\. Known are request\.status,/],
    [
      "no time at all",
      { kind: "processor.late", delay: "0 s" },
      /delay is "0 s": it takes at least "1 ms"; no time would do nothing\.$/,
    ],
    [
      "a window without length",
      { kind: "webhook.reorder", within: { minutes: 0 } },
      /within is .*: it takes at least "1 ms"; no time would do nothing\.$/,
    ],
    ["a clock that is right", { kind: "clock.skew", by: "0 s" }, /by is "0 s": it takes at least "1 ms"/],
    ["nothing", undefined, /a fault is one object such as \{ kind: "response\.lost", times: 1 \}, not undefined/],
    ["null", null, /a fault is one object .* not null/],
    ["a kind alone", "processor.decline", /a fault is one object .* not "processor\.decline"/],
    ["a function in its place", () => decline, /a fault is one object/],
    ["a list", [decline], /kind is undefined/],
  ];

  test.each(refusals)("%s", (_name, fault, why) => {
    const sim = createSimulator();
    const before = sim.snapshot();
    expect(() => sim.faults.add(fault as Fault)).toThrow(expect.objectContaining({ code: "INVALID_FAULT" }) as Error);
    expect(() => sim.faults.add(fault as Fault)).toThrow(why);
    expect(sim.snapshot()).toEqual(before);
  });

  test("a name that is taken", () => {
    const { faults } = createSimulator();
    faults.add({ ...decline, id: "mine" });
    expect(() => faults.add({ kind: "processor.stuck", id: "mine" })).toThrow(
      'faults.add({ id: "mine" }): a fault with this id is planned already. Remove that one first, or give this one another id.',
    );
    faults.remove("mine");
    expect(faults.add({ kind: "processor.stuck", id: "mine" }).hits).toBe(0);
  });

  test("and any other value is refused with INVALID_FAULT or planned as JSON", () => {
    const sim = createSimulator();
    fc.assert(
      fc.property(
        fc.anything({ withBigInt: true, withDate: true, withMap: true, withNullPrototype: true }),
        (given) => {
          const fault = typeof given === "object" ? { ...decline, ...given } : given;
          try {
            const { id } = sim.faults.add(fault as Fault);
            const state = sim.faults.list().find((listed) => listed.id === id);
            expect(JSON.parse(JSON.stringify(state))).toEqual(state);
            sim.faults.remove(id);
          } catch (error) {
            expect(error).toMatchObject({ code: "INVALID_FAULT" });
          }
        },
      ),
      { numRuns: 500, seed: 20_260_101 },
    );
  });
});

describe("a fault fires", () => {
  test.each<[string, Partial<Fault>, number[]]>([
    ["always", {}, [1, 2, 3, 4, 5]],
    ["so many times", { times: 2 }, [1, 2]],
    ["after so many occasions", { after: 3 }, [4, 5]],
    ["so many times after so many occasions", { after: 1, times: 2 }, [2, 3]],
    ["on the nth occasion alone", { nth: 4 }, [4]],
    ["on the first occasion alone", { nth: 1 }, [1]],
    ["never with probability 0", { probability: 0 }, []],
    ["always with probability 1", { probability: 1 }, [1, 2, 3, 4, 5]],
    ["from a moment on, which is in it", { from: "2026-01-01T00:00:02Z" }, [3, 4, 5]],
    ["until a moment, which is not in it", { until: "2026-01-01T00:00:02Z" }, [1, 2]],
    ["in a window", { from: "2026-01-01T00:00:01Z", until: "2026-01-01T00:00:04Z" }, [2, 3, 4]],
    ["so many times in a window", { from: "2026-01-01T00:00:01Z", times: 2 }, [2, 3]],
    ["on the nth occasion in a window", { from: "2026-01-01T00:00:01Z", nth: 2 }, [3]],
  ])("%s", async (_name, recurrence, declined) => {
    const merchant = await Merchant.open();
    merchant.sim.faults.add({ ...decline, ...recurrence } as Fault);
    expect(await declinedOf(merchant, 5)).toEqual(declined);
  });

  test("at the exact bounds of its window: from the first moment to the millisecond before the last", async () => {
    const merchant = await Merchant.open();
    const start = Date.parse("2026-01-01T00:00:00Z");
    const fault = merchant.sim.faults.add({ ...decline, from: start + 1000, until: "2026-01-01T00:00:02+00:00" });
    const hits: number[] = [];
    for (const moment of [start + 999, start + 1000, start + 1999, start + 2000]) {
      await merchant.sim.clock.advanceTo(moment);
      await merchant.confirm((await merchant.createIntent()).id, "pm_card_approved");
      hits.push(fault.hits);
    }
    expect(hits).toEqual([0, 1, 2, 2]);
    expect(merchant.sim.faults.list()).toMatchObject([{ occasions: 2 }]);
  });

  test("only when all of its selectors match", async () => {
    const merchant = await Merchant.open();
    const { id } = await merchant.createIntent();
    const right = { resource: id, paymentMethod: "card", customer: "present" } as const;
    const wrong = [
      { ...right, resource: "pi_nobody" },
      { ...right, paymentMethod: "gcash" },
      { ...right, customer: "absent" as const },
      { ...right, merchant: "mer_nobody" },
    ];
    for (const selection of wrong) merchant.sim.faults.add({ ...decline, ...selection });
    const fault = merchant.sim.faults.add({ ...decline, ...right });
    await merchant.confirm(id, "pm_card_approved");
    expect(merchant.sim.faults.list().map(({ occasions }) => occasions)).toEqual([0, 0, 0, 0, 1]);
    expect(fault.hits).toBe(1);
  });
});

describe("chance", () => {
  const withChance = async (seed: number, count: number, probability = 0.5): Promise<number[]> => {
    const merchant = await Merchant.open({ seed });
    merchant.sim.faults.add({ ...decline, probability });
    return declinedOf(merchant, count);
  };

  test("is the same for the same seed, and another for another", async () => {
    const [first, again, other] = [await withChance(1, 30), await withChance(1, 30), await withChance(2, 30)];
    expect(again).toEqual(first);
    expect(other).not.toEqual(first);
  });

  test("fires about as often as its probability says", async () => {
    const declined = (await withChance(1, 200, 0.2)).length;
    expect(declined).toBeGreaterThan(25);
    expect(declined).toBeLessThan(55);
  });

  test("of one fault differs from another's, and is not moved by it", async () => {
    const alone = await withChance(1, 30);
    const merchant = await Merchant.open({ seed: 1 });
    merchant.sim.faults.add({ ...decline, probability: 0.5 });
    const other = merchant.sim.faults.add({ kind: "processor.stuck", probability: 0.5, id: "other" });
    const ends: (string | undefined)[] = [];
    for (let number = 1; number <= 30; number += 1) {
      const { id } = await merchant.createIntent();
      await merchant.confirm(id, "pm_card_approved");
      ends.push(id);
    }
    const strikes = merchant.sim.journal.entries.filter(({ details }) => details["act"] === "strike");
    const numbersOf = (fault: string) =>
      strikes
        .filter(({ details }) => details["id"] === fault)
        .map(({ details }) => ends.indexOf(String(details["intent"])) + 1);
    expect(numbersOf("fault_1")).toEqual(alone);
    expect(numbersOf("other")).not.toEqual(alone);
    expect(other.hits).toBe(numbersOf("other").length);
  });

  test("counts each occasion on which it did not fire, and is bounded by times", async () => {
    const merchant = await Merchant.open();
    const fault = merchant.sim.faults.add({ ...decline, probability: 0.5, times: 3 });
    const declined = await declinedOf(merchant, 30);
    expect([declined.length, fault.hits]).toEqual([3, 3]);
    expect(merchant.sim.faults.list()).toMatchObject([{ occasions: 30, hits: 3 }]);
  });
});
