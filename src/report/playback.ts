import type { Simulator } from "../simulator/simulator.ts";
import type { Recording } from "../simulator/payment-recording.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import { isReportOf } from "../simulator/reports.ts";
import type { RecordedRequest } from "../simulator/recorded-request.ts";
import { CentavoError } from "../kit/base/errors/centavo-error.ts";

export interface Carried {
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** A call as it was sent, and its answer; undefined when none came. */
export interface HeardCall {
  readonly request: RecordedRequest;
  /** How many journal entries came before. */
  readonly after: number;
  answer?: Carried;
}

/** A delivery as it was sent. */
export interface HeardDelivery extends Carried {
  readonly event: string;
  /** The virtual time at which it was sent, in milliseconds since 1970. */
  readonly at: number;
}

/** A replayed run, with everything that was sent in it. The journal contains neither headers nor the bodies of answers. */
export interface Playback {
  readonly sim: Simulator;
  readonly calls: readonly HeardCall[];
  readonly deliveries: readonly HeardDelivery[];
  /** Why the run could not be replayed to its end. */
  readonly problem?: string;
}

/**
 * Replays a recording in a separate simulator with the same options, and records every message.
 * @param onMessage is told how many there were so far, and the virtual time
 */
export async function playAgain(
  recording: Recording,
  create: (options: SimulatorOptions) => Simulator,
  onMessage: (messages: number, now: () => string) => void = () => undefined,
): Promise<Playback> {
  const sim = create(recording.options as SimulatorOptions);
  const { parts, connections } = sim.internals;
  const { dispatcher, engine } = parts;
  const requests = recording.inputs.filter((input) => isReportOf("request", input));
  const answers = recording.inputs.filter((input) => isReportOf("answer", input));
  const calls: HeardCall[] = [];
  const deliveries: HeardDelivery[] = [];
  const reading: Promise<void>[] = [];
  const count = (): void => onMessage(calls.length + deliveries.length, () => sim.clock.now());
  const beginCall = dispatcher.beginCall.bind(dispatcher);
  const send = connections.send.bind(connections);
  // Nobody else uses this simulator, and the player sends calls and deliveries in the recorded order.
  Object.assign(dispatcher, {
    beginCall: () => async (request: Request) => {
      const recorded = requests[calls.length];
      const { journal } = engine;
      const call = recorded && { request: recorded, after: journal.forgotten.count + journal.length };
      if (call !== undefined) calls.push(call);
      count();
      const answer = await beginCall()(request);
      if (call !== undefined)
        Object.assign(call, { answer: { headers: [...new Headers(answer.headers)], body: answer.body } });
      return answer;
    },
  });
  Object.assign(connections, {
    send: async (request: Request) => {
      const event = answers[deliveries.length]?.event ?? "";
      const place = deliveries.push({ event, at: engine.now, headers: [], body: "" }) - 1;
      count();
      reading.push(
        carriedBy(request).then((carried) => void Object.assign(deliveries[place] as HeardDelivery, carried)),
      );
      return send(request);
    },
  });
  const problem = await sim.play(recording).then(
    () => undefined,
    (error: unknown) => {
      if (error instanceof CentavoError) return error.message;
      throw error;
    },
  );
  await Promise.all(reading);
  return { sim, calls, deliveries, ...(problem === undefined ? {} : { problem }) };
}

async function carriedBy(message: Request): Promise<Carried> {
  return { headers: [...message.headers], body: await message.text() };
}
