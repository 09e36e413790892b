import type { Clock } from "./clock.ts";
import type { Engine } from "./engine.ts";
import type { YieldToEventLoop } from "./timer-runner.ts";

/** The world whose clock a driver moves. */
export interface Driven {
  readonly engine: Engine;
  readonly clock: Clock;
  readonly yieldToEventLoop: YieldToEventLoop;
}

/** Moves a clock between the calls of the test. */
export interface Driver {
  /** What messages call its clock. */
  readonly name: "auto" | "real";
  /** What the clock shows, in milliseconds since 1970. The world may still have to catch up with it. */
  readonly shown: number;
  /** The latest moment at which nothing is left to do, in milliseconds since 1970. */
  readonly now: number;
  /** Whether time stands until the test moves it. Call `movedByTest` at the end of that. */
  isHeld: boolean;
  /** Begins to drive a world's clock. */
  drive(engine: Engine, clock: Clock, yieldToEventLoop: YieldToEventLoop): void;
  /** Resolves when a waiting request may be answered; undefined when it need not wait. */
  untilRest(): Promise<void> | undefined;
  /** Resolves when a call of the test may move the clock; undefined when it may at once. */
  untilStill(): Promise<void> | undefined;
  /** Called whenever a request is answered, before and after. */
  callAnswered(): void;
  /** Called with the moment that a held answer waits for, in milliseconds since 1970, and the signal of its client. */
  waitFor(moment: number, client: AbortSignal): void;
  /** Called when a call of the test has moved the clock, or held it. */
  movedByTest(): void;
  stop(): void;
}

/** Tells the driver of a clock that runs what happens in its world. Without such a driver, nothing follows. */
export class RunningClock {
  /** Brings the world to the moment that the clock shows. Call it before anything from outside reads or changes the world. */
  catchUp: () => void = () => undefined;
  /** Called when a timer is scheduled. */
  scheduled: () => void = () => undefined;
}
