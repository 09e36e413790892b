import type { Socket } from "node:net";
import type { BegunWork } from "./begun-work.ts";
import { realTime } from "./real-time.ts";

/** How long a socket has to be silent after a part of its answer, in milliseconds. */
const SILENCE = 5;

/** What was written to a socket, until the other end has answered. A socket of a pool is idle before and afterwards. */
export class SocketExchange implements BegunWork {
  readonly kind = "a socket";
  readonly delay = 0;
  readonly subject: Socket;
  #bytesRead: number;
  #answeredAt = 0;
  #wasOpen = false;

  constructor(subject: Socket) {
    this.subject = subject;
    this.#bytesRead = subject.bytesRead;
  }

  get isOpen(): boolean {
    const { subject: socket } = this;
    if (socket.destroyed || !socket.readable) return false;
    const { bytesRead } = socket;
    if (bytesRead === this.#bytesRead && this.#answeredAt === 0) return (this.#wasOpen = isInUse(socket));
    if (!this.#wasOpen) return false;
    if (bytesRead !== this.#bytesRead) this.#answeredAt = realTime();
    this.#bytesRead = bytesRead;
    return realTime() - this.#answeredAt < SILENCE;
  }
}

/**
 * Calls back with each socket that something is written to, except those of servers.
 * @returns a function that ends it
 */
export function watchWrites(onWrite: (socket: Socket) => void): () => void {
  const prototype = globalThis.process?.getBuiltinModule?.("node:net").Socket.prototype;
  const ends = (["_write", "_writev"] as const).map((name) => {
    const original = prototype?.[name];
    if (prototype === undefined || original === undefined) return () => undefined;
    const descriptor = Object.getOwnPropertyDescriptor(prototype, name);
    const standIn = function (this: Socket & { readonly server?: unknown }, ...given: never[]): unknown {
      if ((this.server ?? null) === null) onWrite(this);
      return Reflect.apply(original, this, given);
    };
    Object.defineProperty(prototype, name, {
      ...descriptor,
      value: Object.defineProperty(standIn, "name", { value: name }),
    });
    return () => {
      // Someone else may have replaced it since, and calls it.
      if (prototype[name] === standIn && descriptor !== undefined) Object.defineProperty(prototype, name, descriptor);
    };
  });
  return () => {
    for (const end of ends) end();
  };
}

/** Whether the process waits for a socket. Simulated sockets, and those that a pool has put to rest, are not in Node's list. */
function isInUse(socket: Socket): boolean {
  const { process } = globalThis;
  const list: unknown = Reflect.get(process, "_getActiveHandles");
  return typeof list === "function" && (Reflect.apply(list, process, []) as readonly unknown[]).includes(socket);
}
