import type { SimulatorServer } from "centavo/server";
import { expect } from "vitest";
import { putRow, withResources, withState } from "../../src/report/live-run.ts";
import type { ChangedResources, LiveState } from "../../src/report/live-run.ts";
import type { ReportedRun, Row } from "../../src/report/reported-run.ts";

/** An event of a stream. */
export interface Streamed {
  readonly id: string | undefined;
  readonly event: string;
  readonly data: unknown;
}

/** The inspector's page in a browser, as its server sees it. */
export class Page {
  readonly #url: string;
  readonly #cookie: string;

  private constructor(url: string, cookie: string) {
    this.#url = url;
    this.#cookie = cookie;
  }

  /** Opens an address of the inspector. */
  static async at(address: string): Promise<Page> {
    const answer = await signIn(address);
    expect(answer.status).toBe(204);
    const [cookie = ""] = (answer.headers.get("set-cookie") ?? "").split(";");
    return new Page(new URL(address).origin, cookie);
  }

  static of(server: Pick<SimulatorServer, "inspectorUrl">): Promise<Page> {
    return Page.at(server.inspectorUrl());
  }

  /** The header that a browser sends. */
  get cookie(): string {
    return this.#cookie;
  }

  get origin(): string {
    return new URL(this.#url).origin;
  }

  /** Sends what the page sends. */
  fetch(
    path: string,
    init: Omit<RequestInit, "headers"> & { readonly headers?: Record<string, string> } = {},
  ): Promise<Response> {
    const { method = "GET" } = init;
    const headers = {
      cookie: this.#cookie,
      "sec-fetch-site": "same-origin",
      ...(method !== "GET" && { origin: this.origin }),
      ...init.headers,
    };
    return fetch(this.#url + path, { ...init, headers });
  }

  /** Follows a stream, one event at a time. Its end is the end of the stream. */
  async *follow(
    path: string,
    { lastEventId, signal }: { readonly lastEventId?: string; readonly signal?: AbortSignal } = {},
  ): AsyncGenerator<Streamed, void> {
    const response = await this.fetch(path, {
      headers: { accept: "text/event-stream", ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
      ...(signal && { signal }),
    });
    expect([response.status, response.headers.get("content-type")]).toEqual([200, "text/event-stream; charset=utf-8"]);
    const decoder = new TextDecoder();
    let text = "";
    for await (const chunk of response.body as ReadableStream<Uint8Array>) {
      text += decoder.decode(chunk, { stream: true });
      const blocks = text.split("\n\n");
      text = blocks.pop() ?? "";
      for (const block of blocks) {
        const fields = new Map(block.split("\n").map((line) => splitAt(line, line.indexOf(": "))));
        const event = fields.get("event");
        if (event !== undefined)
          yield { id: fields.get("id"), event, data: JSON.parse(fields.get("data") ?? "") as unknown };
      }
    }
  }
}

function splitAt(line: string, place: number): [string, string] {
  return [line.slice(0, place), line.slice(place + 2)];
}

/** Exchanges the code of an address, as the page does. */
export function signIn(address: string, headers: Record<string, string> = {}): Promise<Response> {
  const { origin, hash } = new URL(address);
  return fetch(`${origin}/_centavo/inspector/sign-in`, {
    method: "POST",
    headers: { "content-type": "application/json", "sec-fetch-site": "same-origin", origin, ...headers },
    body: JSON.stringify({ code: new URLSearchParams(hash.slice(1)).get("code") }),
  });
}

/** Applies an event of a run's feed, as the page does. */
export function applied(run: ReportedRun | undefined, { event, data }: Streamed): ReportedRun | undefined {
  if (event === "run") return data as ReportedRun;
  if (run === undefined) throw new Error(`The event ${event} came before the run.`);
  if (event === "rows") {
    const rows = [...run.rows];
    for (const row of data as Row[]) putRow(rows, row);
    return { ...run, rows };
  }
  if (event === "resources") return withResources(run, data as ChangedResources);
  if (event === "state") return withState(run, data as LiveState);
  return run;
}

/** Follows a run until the condition is met, and returns it as the page has it then. */
export async function until(
  events: AsyncGenerator<Streamed, void>,
  condition: (run: ReportedRun, event: Streamed) => boolean,
  from?: ReportedRun,
): Promise<ReportedRun> {
  let run = from;
  for (;;) {
    const { value, done } = await events.next();
    if (done === true) throw new Error("The stream ended.");
    run = applied(run, value);
    if (run !== undefined && condition(run, value)) return run;
  }
}
