import { connectSimulator, type RemoteSimulator } from "centavo/client";
import { expect } from "vitest";
import { open } from "../served.ts";

/** What acts on a world. */
interface Hands {
  readonly sim: RemoteSimulator;
  /** A fork of the world, while there is one. */
  readonly twin: RemoteSimulator;
  /** Posts to the service with the token of the first act. */
  readonly post: (path: string, body: object) => Promise<unknown>;
  readonly logIn: () => Promise<unknown>;
}

const CARD = { cardNumber: "4343434343434345", expMonth: "12", expYear: "30", cvc: "123" };
/** Acts in order. The last brings the world back to where it began, so that each round leads through the same worlds. */
const ACTS: Readonly<Record<string, (hands: Hands) => Promise<unknown>>> = {
  "a token": ({ logIn }) => logIn(),
  "a method": ({ sim }) => sim.paymentMethods.create(CARD),
  "a fault": ({ sim }) => sim.faults.add({ kind: "processor.late", delay: "1 hour", id: "late" }),
  "a payment": ({ post }) => post("", { amount: 10_000 }),
  "a confirmation": async ({ sim, post }) =>
    post(`/${(await sim.intents.last())?.id}/confirm`, { paymentMethodId: "pm_card_approved" }),
  "an advance": ({ sim }) => sim.clock.advance("2 hours"),
  "a fork": ({ sim }) => sim.fork({ name: TWIN }),
  "an act in the fork": ({ twin }) => twin.faults.remove("late"),
  "the world of the fork": async ({ sim, twin }) => sim.restore(await twin.snapshot()),
  "the end of the fork": ({ twin }) => twin.close(),
  "a reset": ({ sim }) => sim.reset(),
};
const NAMES = Object.keys(ACTS);
const RULED = "ruled";
const TWIN = "ruled.twin";

/** A world of which only one client makes use, act by act, so that it is known before and after each. */
export class RuledWorld {
  /** How often a server was killed before it had answered an act, and had it in its file or not. */
  readonly brokenOff = { kept: 0, gone: 0 };
  /** What there is before each act. */
  readonly #before: string[] = [];
  #token = "";
  #next = 0;
  #isUnderWay = false;

  /**
   * Opens the world, and holds it to where the last act has left it.
   * @returns a function that acts again and again, until the server was killed
   */
  async openAt(url: string, token: string): Promise<(answered: () => void, isOver: () => boolean) => Promise<void>> {
    const { baseUrl, credentials } = await open({ url, token }, RULED);
    const { clientId: client_id, clientSecret: client_secret } = credentials;
    const hands: Hands = {
      sim: connectSimulator(baseUrl, { token }),
      twin: connectSimulator(`${url}/worlds/${TWIN}`, { token }),
      post: (path, body) =>
        answerOf(`${baseUrl}/api/payment-intent${path}`, JSON.stringify(body), {
          authorization: `Bearer ${this.#token}`,
          "content-type": "application/json",
        }),
      logIn: async () => {
        const login = new URLSearchParams({ client_id, client_secret });
        this.#token = String((await answerOf(`${baseUrl}/oauth`, login))["access_token"]);
      },
    };
    if (this.#before.length === 0) await this.#learn(hands);
    await this.#expectKept(hands);
    return (answered, isOver) => this.#act(hands, answered, isOver);
  }

  async #learn(hands: Hands): Promise<void> {
    for (const act of Object.values(ACTS)) {
      this.#before.push(await seen(hands));
      await act(hands);
    }
  }

  async #expectKept(hands: Hands): Promise<void> {
    const after = (this.#next + 1) % NAMES.length;
    const now = await seen(hands);
    const isAfter = this.#isUnderWay && now === this.#before[after];
    if (!isAfter) expect(now, `before ${NAMES[this.#next]}`).toBe(this.#before[this.#next]);
    if (this.#isUnderWay) this.brokenOff[isAfter ? "kept" : "gone"] += 1;
    if (isAfter) this.#next = after;
    this.#isUnderWay = false;
  }

  async #act(hands: Hands, answered: () => void, isOver: () => boolean): Promise<void> {
    try {
      while (!isOver()) {
        this.#isUnderWay = true;
        await ACTS[NAMES[this.#next] ?? ""]?.(hands);
        this.#isUnderWay = false;
        answered();
        this.#next = (this.#next + 1) % NAMES.length;
      }
    } catch (error) {
      // The server was killed before it answered.
      if (!isOver()) throw error;
    }
  }
}

async function answerOf(url: string, body: BodyInit, headers: HeadersInit = {}): Promise<Record<string, unknown>> {
  const response = await fetch(url, { method: "POST", headers, body });
  expect(response.status).toBe(200);
  return (await response.json()) as Record<string, unknown>;
}

/** Describes all that there is of a world and its fork. */
async function seen({ sim, twin }: Hands): Promise<string> {
  const ofWorld = async (world: RemoteSimulator): Promise<string> =>
    `${(await world.snapshot()).digest} ${await world.journal.digest()}`;
  const ofTwin = await ofWorld(twin).catch((error: unknown) => String(error));
  return `${await ofWorld(sim)}, ${ofTwin}`;
}
