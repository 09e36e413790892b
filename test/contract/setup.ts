/**
 * Holds every response and every webhook of every simulator in the suite to the OpenAPI document, whatever way a request came in and
 * whoever made the simulator. A test that saw a contradiction fails when it ends; what a fault answered is nobody's contract.
 */
import { afterAll, afterEach, beforeAll, vi } from "vitest";
import { Addresses } from "../../src/http/addresses.ts";
import { contradictions } from "./contradictions.ts";

let simulatorLoaded = false;
const loadContract = () => import("./contract.ts");

vi.mock("../../src/http/dispatcher.ts", async (importOriginal) => {
  simulatorLoaded = true;
  const original = await importOriginal<typeof import("../../src/http/dispatcher.ts")>();
  type Options = ConstructorParameters<typeof original.Dispatcher>[0];
  class CheckedDispatcher extends original.Dispatcher {
    constructor(options: Options) {
      super(options);
      const { baseUrl, authUrl, engine } = options;
      const addresses = new Addresses(baseUrl, authUrl);
      const answer = this.fetch;
      const fetch = async (input: Request | URL | string, init?: RequestInit): Promise<Response> => {
        const before = engine.journal.entries.length;
        const response = await answer(input, init);
        if (engine.journal.entries.slice(before).some(({ kind }) => kind === "fault")) return response;
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
  class CheckedOutbox extends original.Outbox {
    override announce(announcement: Parameters<InstanceType<typeof original.Outbox>["announce"]>[0]): void {
      super.announce(announcement);
      const { type, body } = this.events().at(-1) ?? { type: "of nothing", body: "" };
      const pending = loadContract().then(({ contradictionOfWebhook }) => contradictionOfWebhook(type, body));
      contradictions.note(pending);
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
