import type { kitFaults } from "../../src/kit/declaration/faults.ts";
import type { FaultOf } from "../../src/kit/faults/declaration.ts";
import { toSettings } from "../../src/simulator/simulator-options.ts";
import type { OptionsOf } from "../../src/simulator/simulator-options.ts";
import { readRecordingOf } from "../../src/simulator/recording.ts";
import { ServiceSimulator } from "../../src/simulator/service-simulator.ts";
import { simulatedServiceOf } from "../../src/simulator/simulated-service.ts";
import { chargeApi } from "./charge-api.ts";

const HOOKS = "https://gym.example/hooks";

const simulated = simulatedServiceOf(chargeApi);
type ChargeFault = FaultOf<ReturnType<typeof kitFaults>[number]>;
type Options = OptionsOf<object>;
type ChargeRecording = ReturnType<typeof readRecording>;

const readRecording = (given: unknown) => readRecordingOf(simulated, given);

export type ChargeSimulator = ServiceSimulator<ChargeFault, string, ChargeRecording>;

/** The world inside a simulator of the charge API. */
export function worldOf({ internals }: ChargeSimulator): ReturnType<typeof simulated.open> {
  return internals.parts as ReturnType<typeof simulated.open>;
}

/** The charge API, as a test of a gym that uses it holds it in its hands. */
export function simulate(options: Options = {}): ChargeSimulator {
  const settings = toSettings({ baseUrl: "https://api.charges.example", webhookUrl: HOOKS, ...options });
  return new ServiceSimulator(simulated, settings);
}

/** Runs a recording again. */
export async function replayed(recording: ReturnType<ChargeSimulator["recording"]>): Promise<ChargeSimulator> {
  const read = readRecording(JSON.parse(JSON.stringify(recording)));
  const sim = simulate(read.options as Options);
  await sim.play(read);
  return sim;
}

export interface ChargeObject {
  readonly id: string;
  readonly object: string;
  readonly status: string;
  readonly amount: number;
}

export const authorization = "Bearer sk_test_acct_1";

/** Sends a form to the API, as the gym's code does. */
export function post(
  sim: { readonly fetch: ChargeSimulator["fetch"] },
  target: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return sim.fetch(target, {
    method: "POST",
    headers: { authorization, ...headers },
    body: new URLSearchParams(fields),
  });
}

/** Charges 12.50 to a source. */
export async function charge(sim: ChargeSimulator, source = "tok_visa"): Promise<ChargeObject> {
  return (await (await post(sim, "/v1/charges", { amount: "1250", source })).json()) as ChargeObject;
}

export async function retrieve(sim: ChargeSimulator, id: string): Promise<ChargeObject> {
  const response = await sim.fetch(`/v1/charges/${id}`, { headers: { authorization } });
  return (await response.json()) as ChargeObject;
}

/** The types of every event so far. */
export function eventsOf(sim: ChargeSimulator): string[] {
  return sim.webhooks.events().map(({ type }) => type);
}
