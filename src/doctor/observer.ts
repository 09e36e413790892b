/**
 * `centavo doctor -- <command>` loads this into each process of the command, before anything else. It listens to diagnostics channels, and
 * writes each thing once, as soon as it is seen, so that nothing is lost if the process is killed.
 */
import { subscribe } from "node:diagnostics_channel";
import { appendFileSync } from "node:fs";
import { isIP } from "node:net";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import type { WrittenEntries } from "../kit/engine/written-entries.ts";
import type { RefusedWebhook } from "../kit/webhooks/signatures/refusal.ts";
import type { OpenedSimulator } from "../simulator/opened-simulators.ts";
import type { Observation } from "./observations.ts";

const HANGS_AFTER = 3000;
const BETWEEN_LOOKS = 500;
/** How a receiver answers what it takes for a forgery. */
const DECLINING: ReadonlySet<number | undefined> = new Set([400, 401, 403]);

interface Open {
  readonly call: string;
  readonly since: number;
  id?: number;
}

/** What is known of a world. */
interface World {
  readonly baseUrl: string;
  /** The calls without an answer, the oldest first. */
  readonly open: Open[];
  /** A fault may let calls hang, and change events, as the test wants it. */
  hasFaults: boolean;
}

const folder = process.env["CENTAVO_DOCTOR_FOLDER"];
if (folder !== undefined) observe(join(folder, `${process.pid}-${threadId}.jsonl`));

function observe(path: string): void {
  const written = new Set<string>();
  const worlds = new WeakMap<object, World>();
  const opened: WeakRef<World>[] = [];
  const outside = new Map<object, Open>();
  let ids = 0;
  const write = (observation: Observation): void => {
    const line = `${JSON.stringify(observation)}\n`;
    if (written.has(line)) return;
    written.add(line);
    try {
      appendFileSync(path, line);
    } catch {
      // The doctor has ended, and its folder with it.
    }
  };
  const ended = (open: Open | undefined): void => {
    if (open?.id !== undefined) write({ kind: "ended", id: open.id });
  };
  const listen = (channel: string, listener: (message: never) => void): void =>
    subscribe(channel, (message) => {
      try {
        listener(message as never);
      } catch {
        // What cannot be observed must not fail the suite.
      }
    });

  listen("centavo:simulator", ({ baseUrl, authUrl, world }: OpenedSimulator) => {
    const known: World = { baseUrl, open: [], hasFaults: false };
    worlds.set(world, known);
    opened.push(new WeakRef(known));
    write({ kind: "simulator", baseUrl, authUrl });
  });
  listen("centavo:refused-webhook", ({ message }: RefusedWebhook) => write({ kind: "unverified", message }));
  listen("centavo:journal", ({ world, entries }: WrittenEntries) => {
    const known = worlds.get(world);
    if (known === undefined) return;
    for (const entry of entries) {
      const { kind, details } = entry;
      if (kind === "fault") known.hasFaults = true;
      else if (kind === "request") {
        known.open.push({ call: `${details.method} ${details.path}`, since: performance.now() });
        write({ kind: "called", baseUrl: known.baseUrl });
      } else if (kind === "answer") ended(known.open.shift());
      else if (kind === "refused") {
        const { method = "", url = "", baseUrl } = entry.volatile ?? {};
        const { origin, pathname } = new URL(url);
        write({
          kind: "refused",
          origin,
          call: `${method} ${origin}${pathname}`,
          ...(baseUrl !== undefined && { baseUrl }),
        });
      } else if (kind === "delivery") {
        const { url, status, type, faults = [] } = details;
        if (status !== undefined && status < 300) write({ kind: "accepted", url });
        else if (status !== undefined && DECLINING.has(status) && faults.length === 0 && !known.hasFaults)
          write({ kind: "declined", url, status, type });
      }
    }
  });

  // Connections that nothing has answered in the place of the network.
  listen("net.client.socket", ({ socket }: { readonly socket: import("node:net").Socket }) => {
    socket.once("lookup", (error: Error | null, _address: string, _family: number, host: string) => {
      if (error !== null) write({ kind: "left", host });
      else socket.once("connect", () => isElsewhere(socket.remoteAddress) && write({ kind: "left", host }));
    });
    socket.once("connect", () => {
      const { remoteAddress = "" } = socket;
      if (isElsewhere(remoteAddress) && isIP(String(Reflect.get(socket, "_host") ?? remoteAddress)) !== 0)
        write({ kind: "left", host: remoteAddress });
    });
  });

  const begins = (request: object, call: string): void => void outside.set(request, { call, since: performance.now() });
  const ends = (request: object): void => {
    ended(outside.get(request));
    outside.delete(request);
  };
  type Sent = {
    readonly request: {
      readonly origin?: string;
      readonly host?: string;
      readonly path: string;
      readonly method: string;
    };
  };
  listen("undici:request:create", ({ request }: Sent) =>
    begins(request, `${request.method} ${request.origin ?? ""}${withoutQuery(request.path)}`),
  );
  listen("http.client.request.start", ({ request }: Sent) =>
    begins(request, `${request.method} ${request.host ?? ""}${withoutQuery(request.path)}`),
  );
  for (const channel of [
    "undici:request:headers",
    "undici:request:error",
    "http.client.response.finish",
    "http.client.request.error",
  ])
    listen(channel, ({ request }: Sent) => ends(request));

  const look = (): void => {
    const inWorlds = opened.flatMap((each) => {
      const world = each.deref();
      return world === undefined || world.hasFaults ? [] : world.open;
    });
    for (const open of [...inWorlds, ...outside.values()]) {
      if (open.id !== undefined || performance.now() - open.since < HANGS_AFTER) continue;
      open.id = ids += 1;
      write({ kind: "hangs", id: open.id, call: open.call });
    }
  };
  // Tests may fake timers later, and this must not keep the process alive.
  setInterval(look, BETWEEN_LOOKS).unref();
}

function isElsewhere(address: string | undefined): boolean {
  return address !== undefined && address !== "" && !/^(?:127\.|::1$|::ffff:127\.)/.test(address);
}

/** A query may hold secrets. */
function withoutQuery(path: string): string {
  return path.split("?")[0] ?? "";
}
