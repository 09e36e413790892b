import type { Socket } from "node:net";
import type { BegunWork } from "./begun-work.ts";
import { realTime } from "./real-time.ts";
import { ReplacedFunctions } from "./replaced-functions.ts";

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
  const replaced = new ReplacedFunctions();
  const prototype = globalThis.process?.getBuiltinModule?.("node:net").Socket.prototype ?? {};
  for (const name of ["_write", "_writev"]) {
    replaced.replace(prototype, name, (original) => {
      return function (this: unknown, ...given: never[]): unknown {
        const socket = this as Socket & { readonly server?: unknown };
        if ((socket.server ?? null) === null) onWrite(socket);
        return Reflect.apply(original, socket, given);
      };
    });
  }
  return () => replaced.restore();
}

/** Whether the process waits for a socket. Simulated sockets, and those that a pool has put to rest, are not in Node's list. */
function isInUse(socket: Socket): boolean {
  const { process } = globalThis;
  const list: unknown = Reflect.get(process, "_getActiveHandles");
  return typeof list === "function" && (Reflect.apply(list, process, []) as readonly unknown[]).includes(socket);
}
