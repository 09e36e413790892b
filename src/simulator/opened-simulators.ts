import { diagnosticsChannel } from "../kit/base/runtime/diagnostics.ts";

/** What the channel `centavo:simulator` says of each simulator that is opened. */
export interface OpenedSimulator {
  readonly baseUrl: string;
  readonly authUrl: string;
  /** Stands for the world: the same object as in the messages of `centavo:journal`. */
  readonly world: object;
}

const opened = diagnosticsChannel<OpenedSimulator>("centavo:simulator");

/** Publishes that a simulator is open. */
export function tellOpened(simulator: OpenedSimulator): void {
  if (opened.hasSubscribers) opened.publish(simulator);
}
