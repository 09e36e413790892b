/** One of Node's diagnostics channels, on which every simulator of the process publishes. It costs nothing while nobody subscribes. */
export interface DiagnosticsChannel<Message> {
  /** Whether anybody listens. Ask before a message is put together. */
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
}

/** What stands in for a channel where the process has none, as in a browser. */
const SILENT = { hasSubscribers: false, publish: () => undefined } as const;

/** Opens the channel of this name. Who subscribes is up to the test: `diagnostics_channel.subscribe(name, listener)`. */
export function diagnosticsChannel<Message>(name: string): DiagnosticsChannel<Message> {
  return globalThis.process?.getBuiltinModule?.("node:diagnostics_channel")?.channel(name) ?? SILENT;
}
