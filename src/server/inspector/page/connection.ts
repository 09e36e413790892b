import { signal } from "@preact/signals";
import { problemIn } from "./problem.ts";

/** How the page stands with its server. */
export type ConnectionState = "opening" | "open" | "lost" | "signed-out";

export const connection = signal<ConnectionState>("opening");
/** What the server said when it refused a code. */
export const refusal = signal<string | undefined>(undefined);

/** Where everything of the server itself stands; the service has the other addresses. */
export const PLACE = "/_centavo";
/** What a signed-in page may always read. */
const PROBE = `${PLACE}/worlds`;
/** How long to wait before the next try, in milliseconds. */
const PAUSE = 1000;

/** How long a page that nobody sees keeps its connections, in milliseconds. */
const UNSEEN = 30_000;

/** What is followed: how it begins again, and how it rests meanwhile. */
interface Stream {
  readonly begin: () => void;
  readonly rest: () => void;
}

const streams = new Set<Stream>();

type Listeners = Readonly<Record<string, (data: never) => void>>;

/**
 * Follows Server-Sent Events, and begins again whenever they break off.
 * @param listeners what to do with the data of each event, by its name
 * @param onGone called when the server has nothing at this address any more; nothing is followed then
 * @returns what ends it
 */
export function follow(address: string, listeners: Listeners, onGone = (): void => undefined): () => void {
  let source: EventSource | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** The id of the last event, after which the next stream goes on. */
  let last = "";
  const begin = (): void => {
    source?.close();
    source = new EventSource(last === "" ? address : `${address}?after=${encodeURIComponent(last)}`);
    source.addEventListener("open", () => {
      connection.value = "open";
    });
    source.addEventListener("error", () => {
      // The browser tries again by itself, unless the server has refused.
      if (source?.readyState === EventSource.CONNECTING) connection.value = "lost";
      else void afterRefusal();
    });
    for (const [name, listener] of Object.entries(listeners))
      source.addEventListener(name, ({ data, lastEventId }: MessageEvent<string>) => {
        last = lastEventId;
        listener(JSON.parse(data) as never);
      });
  };
  const afterRefusal = async (): Promise<void> => {
    await probe();
    // A signed-out page opens its streams again when it has signed in, and a world that has ended has no stream any more.
    if (connection.value === "signed-out" || !streams.has(stream)) return;
    if (await isGone(address)) onGone();
    else timer = setTimeout(begin, PAUSE);
  };
  const rest = (): void => {
    clearTimeout(timer);
    source?.close();
  };
  const stream = { begin, rest };
  streams.add(stream);
  begin();
  return () => {
    streams.delete(stream);
    rest();
  };
}

/** Leaves the connections to others while nobody sees the page, because a browser opens only six to one server. */
export function restWhileUnseen(): void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isResting = false;
  document.addEventListener("visibilitychange", () => {
    clearTimeout(timer);
    if (document.visibilityState === "hidden")
      timer = setTimeout(() => {
        isResting = true;
        for (const { rest } of streams) rest();
      }, UNSEEN);
    else if (isResting) {
      isResting = false;
      for (const { begin } of streams) begin();
    }
  });
}

async function isGone(address: string): Promise<boolean> {
  const looking = new AbortController();
  try {
    const { status } = await fetch(address, { signal: looking.signal });
    return status === 404;
  } catch {
    return false;
  } finally {
    looking.abort();
  }
}

/** Finds out whether the server is there, and whether it knows this browser. */
export async function probe(): Promise<void> {
  try {
    const { ok, status } = await fetch(PROBE);
    if (status === 401 || status === 403) connection.value = "signed-out";
    else connection.value = ok ? "open" : "lost";
  } catch {
    connection.value = "lost";
  }
}

/** Exchanges a code for a cookie, and opens again what had been refused. */
export async function signIn(code: string): Promise<void> {
  try {
    const answer = await fetch(`${PLACE}/inspector/sign-in`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ code }),
    });
    refusal.value = answer.ok ? undefined : await problemIn(answer);
    if (!answer.ok) return;
    connection.value = "opening";
    for (const { begin } of streams) begin();
  } catch {
    refusal.value = "The server does not answer.";
  }
}

/** Returns the code in an address that a server has printed, or in what somebody pasted. */
export function codeIn(text: string): string | undefined {
  const [, code = text.includes("#") ? "" : text] = /#code=([^&\s]+)/.exec(text) ?? [];
  return code.trim() === "" ? undefined : code.trim();
}

/** Signs in with the code of the address, which then leaves the address. */
export async function signInByAddress(): Promise<void> {
  const code = location.hash.startsWith("#code=") ? codeIn(location.hash) : undefined;
  if (code === undefined) return;
  history.replaceState(null, "", location.pathname + location.search);
  await signIn(code);
}
