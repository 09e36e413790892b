import { createSimulator } from "centavo";
import { connectSimulator, createClient, type RemoteSimulator } from "centavo/client";
import { expect } from "vitest";
import type { Opened } from "../served.ts";

const CUSTOMERS = 3;

/** What a customer was told of a payment. */
interface Told {
  readonly id: string;
  readonly externalId: string;
  isConfirmed: boolean;
}

/** The customers of a world, who remember what they were told. */
export class Customers {
  readonly #credentials: Opened["credentials"];
  readonly #told: Told[] = [];
  #now = "";
  #orders = 0;

  constructor(credentials: Opened["credentials"]) {
    this.#credentials = credentials;
  }

  /**
   * Has customers pay, and a test let time pass, again and again.
   * @param answered called after each answer
   * @param isOver whether the server was killed
   */
  async payAt(baseUrl: string, token: string, answered: () => void, isOver: () => boolean): Promise<void> {
    const { clientId, clientSecret } = this.#credentials;
    const client = createClient({ baseUrl, fetch, clientId, clientSecret });
    const { clock } = connectSimulator(baseUrl, { token });
    const customer = async (): Promise<void> => {
      const externalId = `order-${(this.#orders += 1)}`;
      const { id } = await client.paymentIntents.create({ amount: 10_000, externalId });
      const told: Told = { id, externalId, isConfirmed: false };
      this.#told.push(told);
      answered();
      await client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" });
      told.isConfirmed = true;
      answered();
    };
    const time = async (): Promise<void> => {
      await clock.advance("1 second");
      answered();
      this.#hears(await clock.now());
    };
    const lane = async (act: () => Promise<void>): Promise<void> => {
      try {
        while (!isOver()) await act();
      } catch (error) {
        // The server was killed before it answered.
        if (!isOver()) throw error;
      }
    };
    await Promise.all([time, ...Array.from({ length: CUSTOMERS }, () => customer)].map(lane));
  }

  #hears(now: string): void {
    if (now > this.#now) this.#now = now;
  }

  /**
   * Holds a world to what its customers were told, and to have no half of a payment.
   * @returns the ids of its events
   */
  async expectKept(remote: RemoteSimulator): Promise<readonly string[]> {
    // One moment of a world whose clock runs.
    const sim = createSimulator({ seed: await remote.seed });
    sim.restore(await remote.snapshot());
    this.#hears(sim.clock.now());
    expect(sim.clock.now()).toBe(this.#now);
    const lost = this.#told.filter(({ id, externalId, isConfirmed }) => {
      const intent = sim.intents.get(id);
      return intent?.externalId !== externalId || (isConfirmed && intent.status === "requires_payment_method");
    });
    expect(lost).toEqual([]);
    expect(sim.ledger().balance).toBe(0);
    const paid = sim.intents
      .list({ status: "succeeded" })
      .map(({ id }) => id)
      .toSorted();
    const transactions = sim.transactions.list({ status: "succeeded" }).map(({ intentId }) => String(intentId));
    expect(transactions.toSorted()).toEqual(paid);
    const succeeded = sim.webhooks.events({ type: "payment_intent.succeeded" });
    expect(succeeded.map(({ body }) => body.data.id).toSorted()).toEqual(paid);
    return sim.webhooks.events().map(({ id }) => id);
  }
}
