import type { Simulator } from "../simulator/simulator.ts";

/** What only the process of a simulator can have: code that the simulator calls. */
type InProcess = "connect" | "visit" | "fetch";

/** The members of a part, each of which returns a promise. */
type Remote<Part> = {
  readonly [Member in keyof Part]: Part[Member] extends (...given: infer Given) => infer Result
    ? (...given: Given) => Promise<Awaited<Result>>
    : Part[Member] extends object
      ? Remote<Part[Member]>
      : () => Promise<Part[Member]>;
};

/** A simulator in another process. */
export type RemoteSimulator = Remote<Omit<Simulator, InProcess>>;
