import { startChild } from "./child.ts";
import { LOAD, REQUESTS_OF_THE_LOAD } from "./flow.ts";
import { median } from "./measure.ts";
import { showProgress } from "./progress.ts";
import type { SendingFigures, SendingQuestion } from "./send-requests.ts";
import type { ServerName, ServerState } from "./serve-requests.ts";
import type { Bound, Figure } from "./table.ts";

const ROUNDS = 7;
const WARM_UP_ROUNDS = 3;
/** Requests that one core answers in a second of processor time. */
const RATE: Bound = { of: "rate", atLeast: 4000 };
/** Milliseconds of real time. */
const SLOWEST: Bound = { of: "value", atMost: 150 };
/** Bytes for each request. */
const GROWTH: Bound = { of: "value", atMost: 105 };

interface Round extends SendingFigures {
  /** Microseconds of the server's processor time for each request. */
  readonly time: number;
  readonly heap: number;
}

/** Measures `centavo serve` under many connections, in turn with a server that only sends static answers. */
export async function measureServer(): Promise<Figure[]> {
  const ours = loadedServer("serve");
  const bare = loadedServer("bare");
  const rounds: { readonly ours: Round; readonly bare: Round }[] = [];
  for (let round = 1 - WARM_UP_ROUNDS; round <= ROUNDS; round += 1) {
    showProgress(`server: round ${Math.max(round, 1)} of ${ROUNDS}`);
    const figures = { ours: await ours.round(), bare: await bare.round() };
    if (round > 0) rounds.push(figures);
  }
  ours.close();
  bare.close();
  const of = (figure: (round: { readonly ours: Round; readonly bare: Round }) => number): number =>
    median(rounds.map(figure));
  const heaps = rounds.map((round) => round.ours.heap);
  const growth = ((heaps.at(-1) as number) - (heaps[0] as number)) / (REQUESTS_OF_THE_LOAD * (ROUNDS - 1));
  const under = `\`centavo serve\` under ${LOAD.connections} connections`;
  return [
    {
      what: `A request to ${under}, compared with static answers from \`node:http\``,
      unit: "µs",
      value: of((round) => round.ours.time),
      beside: of((round) => round.bare.time),
      ratio: { value: of((round) => round.ours.time / round.bare.time), means: "the cost" },
      bound: RATE,
    },
    {
      what: `The wait for 99 of 100 answers from ${under} (real time), compared with static answers from \`node:http\``,
      unit: "ms",
      value: of((round) => round.ours.p99),
      beside: of((round) => round.bare.p99),
      bound: SLOWEST,
    },
    {
      what: `Heap that each request adds to ${under}, once it has all that it keeps`,
      unit: "B",
      value: growth,
      bound: GROWTH,
    },
  ];
}

/** A server and its clients, each in a process of its own. */
function loadedServer(name: ServerName): { readonly round: () => Promise<Round>; readonly close: () => void } {
  const server = startChild<null, ServerState>("serve-requests.ts", [name]);
  const clients = startChild<SendingQuestion, SendingFigures>("send-requests.ts");
  return {
    async round() {
      const { url, token } = await server.ask(null);
      const figures = await clients.ask({ url, token, ...LOAD });
      const { time, heap } = await server.ask(null);
      return { ...figures, time: time / REQUESTS_OF_THE_LOAD, heap };
    },
    close() {
      server.close();
      clients.close();
    },
  };
}
