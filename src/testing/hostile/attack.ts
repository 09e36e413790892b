import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import type { Simulator } from "../../simulator/simulator.ts";
import { honestCase, hostileCases } from "./cases.ts";
import type { HostileCase } from "./hostile-case.ts";
import { HostileReport } from "./hostile-report.ts";
import type { HostileDeliveriesOptions } from "./hostile-options.ts";
import type { HostileResult } from "./hostile-report.ts";
import { paymentOf, plannedFaults, waitsForCustomer } from "../../merchant/deliveries/order-payment.ts";
import type { PlacedOrder } from "../../merchant/deliveries/order-payment.ts";
import { Trial } from "./trial.ts";
import type { OrderState } from "./trial.ts";
import { verdictOn } from "./judge-shop.ts";

/** Runs every case, or only the honest delivery if that fails. */
export async function attack<Order extends PlacedOrder>(
  sim: Simulator,
  options: HostileDeliveriesOptions<Order>,
  tolerance: number,
): Promise<HostileReport> {
  const honest = await run(sim, options, tolerance, honestCase);
  const results = [honest];
  for (const hostileCase of hostileCases) {
    const result: HostileResult =
      honest.outcome === "passed"
        ? await run(sim, options, tolerance, hostileCase)
        : { name: hostileCase.name, outcome: "skipped", reason: "the honest delivery failed" };
    results.push(result);
  }
  return new HostileReport(results);
}

async function run<Order extends PlacedOrder>(
  sim: Simulator,
  options: HostileDeliveriesOptions<Order>,
  tolerance: number,
  { name, effect, remedy, run: act }: HostileCase,
): Promise<HostileResult> {
  const { order: place } = options;
  const order = await place();
  const payment = paymentOf(sim, order);
  // Delivers earlier events, which are not part of the case. Nothing is done about a payment in processing, because it would succeed.
  if (waitsForCustomer(payment)) await sim.clock.settle();
  const another = async () => paymentOf(sim, await place());
  const trial = new Trial({ sim, name, payment, tolerance, another, readOrder: () => readOrder(order, options) });
  try {
    const reason = await act(trial);
    if (typeof reason === "string") return { name, outcome: "skipped", reason };
    const verdict = verdictOn(trial.deliveries, effect, await trial.before(), await trial.now());
    if (verdict === undefined) return { name, outcome: "passed" };
    const deliveries = trial.deliveries.map(({ delivery }) => delivery);
    // A planned fault can only keep a delivery from the merchant, so it cannot explain any other verdict.
    const cause = verdict.kind === "refused" ? plannedFaults(sim) : "";
    return { name, outcome: "failed", fault: { name, ...verdict, remedy: cause + remedy, deliveries } };
  } finally {
    await trial.end();
  }
}

async function readOrder<Order extends PlacedOrder>(
  order: Order,
  { fulfilments, status }: HostileDeliveriesOptions<Order>,
): Promise<OrderState> {
  const count: unknown = await fulfilments(order);
  if (typeof count !== "number" || !(count >= 0)) {
    throw new CentavoError(
      "INVALID_OPTION",
      `hostileDeliveries: the option fulfilments returned ${inWords(count)}. Return how often this one order was fulfilled, as a number of at least 0.`,
    );
  }
  return { fulfilments: count, status: status === undefined ? undefined : JSON.stringify(await status(order)) };
}
