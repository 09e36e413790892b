/** The members of a simulator that only its own process can have, and what a client does instead. */
export const onlyInProcess = {
  connect: "an app cannot be sent over HTTP. Let the app listen, and give its address as webhookUrl",
  visit: "it calls an app that is connected in the process of the simulator. Call the app at its own address",
  fetch: "the service answers at an address. Call it there: fetch(`${await sim.baseUrl}/api/transactions`)",
  "clock.timeout": "a signal cannot be sent over HTTP. Abort one of your own when sim.clock.sleep() has resolved",
  "clock.onMove": "a function cannot be sent over HTTP. Follow the journal of the control API as text/event-stream",
} as const;

/** A member that only the process of a simulator can have. */
export type OnlyInProcess = keyof typeof onlyInProcess;

/** What stands in the place of such a member. It cannot be called, and its type says why. */
export interface Unavailable<Reason extends string> {
  readonly "only in the simulator's process": Reason;
}
