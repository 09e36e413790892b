/** Network interception for Node. The merchant's code calls the real base URL, and a simulator answers. */
export type { AllowedHost, HostPattern, HostRules } from "./adapters/host-rules.ts";
export { fakeDate } from "./adapters/fake-date.ts";
export type { FakedDate, FollowedClock } from "./adapters/fake-date.ts";
export { intercept } from "./adapters/node.ts";
export { fakeTimers } from "./merchant/process/fake-timers.ts";
export type { FakedTimers } from "./merchant/process/fake-timers.ts";
export type { InterceptOptions, Network } from "./adapters/node.ts";
export { record } from "./traffic/record.ts";
export type { RecordOptions, TrafficRecording } from "./traffic/record.ts";
