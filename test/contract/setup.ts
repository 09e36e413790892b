/**
 * Holds every response and every webhook of every simulator in the suite to the OpenAPI document, whatever way a request came in and
 * whoever made the simulator. A test that saw a contradiction fails when it ends; what a fault answered is nobody's contract, while an
 * answer that a fault only held back is the service's own.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { Addresses } from "../../src/http/addresses.ts";
import { contradictions } from "./contradictions.ts";

/** A call under way, and whether a fault has put something else in the place of its answer. */
interface CallUnderWay {
  spoilt: boolean;
}

const callUnderWay = new AsyncLocalStorage<CallUnderWay>();
const DELAYS: ReadonlySet<string> = new Set(["request.latency", "response.late"]);

let simulatorLoaded = false;
const loadContract = () => import("./contract.ts");

vi.mock("../../src/http/dispatcher.ts", async (importOriginal) => {
  simulatorLoaded = true;
  const original = await importOriginal<typeof import("../../src/http/dispatcher.ts")>();
  type Options = ConstructorParameters<typeof original.Dispatcher>[0];

  /** The same faults, watched: each call is known by the note of its occasion, also when it goes on while somebody else moves the clock. */
  function watched(faults: Options["faults"]): Options["faults"] {
    const calls = new WeakMap<object, CallUnderWay>();
    const strike: typeof faults.strike = (kinds, occasion, take) => {
      const call = calls.get(occasion.note) ?? callUnderWay.getStore();
      if (call !== undefined) calls.set(occasion.note, call);
      faults.strike(kinds, occasion, (fault) => {
        if (call !== undefined && !DELAYS.has(fault.kind)) call.spoilt = true;
        return take(fault);
      });
    };
    return Object.create(faults, {
      none: { get: () => faults.none },
      strike: { value: strike },
    }) as Options["faults"];
  }

  class CheckedDispatcher extends original.Dispatcher {
    constructor(options: Options) {
      super({ ...options, faults: watched(options.faults) });
      const { baseUrl, authUrl } = options;
      const addresses = new Addresses(baseUrl, authUrl);
      const answer = this.fetch;
      const fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
        const call: CallUnderWay = { spoilt: false };
        const response = await callUnderWay.run(call, () => answer(input, init));
        if (call.spoilt) return response;
        const { contradictionOf } = await loadContract();
        const address = input instanceof Request ? input.url : String(input);
        const { href } = new URL(address.startsWith("/") ? baseUrl + address : address);
        const { path, part } = addresses.targetOf(href);
        const method = (init?.method ?? (input instanceof Request ? input.method : "GET")).toUpperCase();
        const { status, headers } = response;
        contradictions.note(
          contradictionOf({ method, path, part, status, headers, body: await response.clone().text() }),
        );
        return response;
      };
      Object.defineProperty(this, "fetch", { value: fetch });
    }
  }
  return { ...original, Dispatcher: CheckedDispatcher };
});

vi.mock("../../src/webhooks/outbox.ts", async (importOriginal) => {
  const original = await importOriginal<typeof import("../../src/webhooks/outbox.ts")>();
  type Options = ConstructorParameters<typeof original.Outbox>[0];
  class CheckedOutbox extends original.Outbox {
    readonly #engine: Options["engine"];
    readonly #faults: Options["faults"];

    constructor(options: Options) {
      super(options);
      this.#engine = options.engine;
      this.#faults = options.faults;
    }

    override announce(announcement: Parameters<InstanceType<typeof original.Outbox>["announce"]>[0]): void {
      const { journal } = this.#engine;
      const before = journal.length;
      super.announce(announcement);
      if (!this.#faults.none && journal.entries.slice(before).some(({ kind }) => kind === "fault")) return;
      const event = this.events().at(-1);
      if (event === undefined) return;
      contradictions.note(
        loadContract().then(({ contradictionOfWebhook }) => contradictionOfWebhook(event.type, this.bodyOf(event))),
      );
    }
  }
  return { ...original, Outbox: CheckedOutbox };
});

// Loading it takes longer than some clients under test are willing to wait for their first answer.
beforeAll(async () => {
  if (simulatorLoaded) await loadContract();
});
afterEach(() => contradictions.report());
afterAll(() => contradictions.report());
