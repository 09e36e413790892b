/** One of Node's diagnostics channels, on which every simulator of the process publishes. It costs nothing without subscribers. */
export interface DiagnosticsChannel<Message> {
  /** Whether the channel has subscribers. Check it before you build a message. */
  readonly hasSubscribers: boolean;
  publish(message: Message): void;
  subscribe(listener: (message: Message) => void): void;
  unsubscribe(listener: (message: Message) => void): void;
}

/** The channel of a process without diagnostics channels, such as a browser. */
const SILENT = {
  hasSubscribers: false,
  publish: () => undefined,
  subscribe: () => undefined,
  unsubscribe: () => undefined,
} as const;

/** Opens the channel of this name. A test subscribes with `diagnostics_channel.subscribe(name, listener)`. */
export function diagnosticsChannel<Message>(name: string): DiagnosticsChannel<Message> {
  const channel: unknown = globalThis.process?.getBuiltinModule?.("node:diagnostics_channel")?.channel(name);
  return (channel as DiagnosticsChannel<Message> | undefined) ?? SILENT;
}

/**
 * Listens to a channel of this name, whoever publishes on it. Does nothing in a process without diagnostics channels.
 * @returns a function that ends it
 */
export function listenToChannel(name: string, listener: (message: unknown) => void): () => void {
  const channels = globalThis.process?.getBuiltinModule?.("node:diagnostics_channel");
  channels?.subscribe(name, listener);
  return () => void channels?.unsubscribe(name, listener);
}
