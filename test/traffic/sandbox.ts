import { readFileSync, mkdtempSync } from "node:fs";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import type { AssumptionOverrides, Simulator } from "centavo";
import { createClient } from "centavo/client";
import { serve } from "centavo/server";
import { expect } from "vitest";
import * as z from "zod/mini";
import { listen } from "../../src/kit/base/runtime/http.ts";

/** A service of its own address that answers in its own manner, which is as real as it gets here. */
export async function openSandbox(assumptions: AssumptionOverrides = {}) {
  const sim = createSimulator({ seed: "sandbox", assumptions });
  const server = await serve(sim);
  return { sim, url: server.url, [Symbol.asyncDispose]: () => server.close() };
}

/** The typed client of a merchant that calls the service at this URL. */
export function clientOf(sim: Simulator, baseUrl: string, assumptions: AssumptionOverrides = {}) {
  return createClient({ baseUrl, assumptions, ...sim.credentials });
}

/** A merchant's server, which takes deliveries at `/hooks`. */
export async function openMerchant() {
  const received: string[] = [];
  const server = createServer((request, response) => {
    void (async () => {
      let body = "";
      for await (const chunk of request) body += String(chunk);
      received.push(body);
      response.writeHead(200, "Taken", {
        "content-type": "application/json",
        "set-cookie": "merchant=s3cretCookie12345",
      });
      response.write('{"received":');
      response.end("true}");
    })();
  });
  const listening = await listen((request, response) => server.emit("request", request, response));
  return { url: listening.url, received, [Symbol.asyncDispose]: () => listening.close() };
}

export function newFile(): string {
  return join(mkdtempSync(join(tmpdir(), "traffic-")), "recordings", "shop.har");
}

const strings = z.array(z.object({ name: z.string(), value: z.string() }));
const message = {
  httpVersion: z.string(),
  cookies: z.array(z.unknown()),
  headers: strings,
  headersSize: z.number(),
  bodySize: z.number(),
};
const comment = z.optional(z.string());
/** HAR 1.2, with no other field than those that it has, but for those that begin with an underscore. */
const har = z.strictObject({
  log: z.strictObject({
    version: z.literal("1.2"),
    creator: z.strictObject({ name: z.string(), version: z.string() }),
    entries: z.array(
      z.strictObject({
        startedDateTime: z.string().check(z.iso.datetime({ offset: true })),
        time: z.number().check(z.nonnegative()),
        request: z.strictObject({
          ...message,
          method: z.string(),
          url: z.url(),
          queryString: strings,
          postData: z.optional(z.strictObject({ mimeType: z.string(), params: strings, text: z.string() })),
        }),
        response: z.strictObject({
          ...message,
          status: z.number(),
          statusText: z.string(),
          content: z.strictObject({ size: z.number(), mimeType: z.string(), text: z.optional(z.string()) }),
          redirectURL: z.string(),
        }),
        cache: z.strictObject({}),
        timings: z.strictObject({ send: z.number(), wait: z.number(), receive: z.number() }),
        comment,
        _error: z.optional(z.string()),
        _centavo: z.strictObject({
          kind: z.enum(["call", "delivery"]),
          omitted: z.optional(z.array(z.enum(["request", "answer"]))),
        }),
      }),
    ),
  }),
});

/** Reads a file, and holds it to HAR 1.2. */
export function harIn(file: string) {
  const read = har.safeParse(JSON.parse(readFileSync(file, "utf8")));
  expect(read.error).toBeUndefined();
  if (read.data === undefined) throw new Error("It is no HAR.");
  return read.data.log.entries;
}

/** Expects none of these texts anywhere in a file. */
export function expectNoneIn(file: string, secrets: readonly (string | undefined)[]): void {
  const text = readFileSync(file, "utf8");
  expect(secrets.length).toBeGreaterThan(0);
  for (const secret of secrets) {
    expect(secret).toMatch(/.{8}/);
    expect(text).not.toContain(secret);
    expect(text).not.toContain(encodeURIComponent(secret ?? ""));
    expect(text).not.toContain(
      Buffer.from(secret ?? "")
        .toString("base64")
        .slice(0, 24)
        .replaceAll("=", ""),
    );
  }
}
