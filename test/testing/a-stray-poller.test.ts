import dns from "node:dns";
import { once } from "node:events";
import http from "node:http";
import https from "node:https";
import axios from "axios";
import { simulated, type TestNetwork } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { request } from "undici";
import { describe, expect, test as base, vi } from "vitest";

const lookUp = vi.spyOn(dns, "lookup");
const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);

const clients: Record<string, (url: string) => Promise<unknown>> = {
  fetch,
  axios: (url) => axios.get(url, { adapter: "http" }),
  undici: request,
  "node:https": (url) =>
    new Promise((resolve, reject) => {
      https.get(url, (answer) => resolve(answer.resume())).on("error", reject);
    }),
};

/** In the turn in which an interception ends, any call to its address may be one of its own. */
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Starts a call in a test that is answered, and one of the same code after it. */
async function strayAfter(name: string, send: (url: string) => Promise<unknown>): Promise<unknown> {
  const over = Promise.withResolvers<void>();
  const stray = Promise.withResolvers<unknown>();
  await simulated({ name, network: "intercept" }, async ({ network }: { network: TestNetwork }) => {
    const url = `${network.baseUrl}/.well-known/jwks.json`;
    await send(url);
    void over.promise.then(() => send(url)).then(stray.resolve, stray.resolve);
  })();
  await turn();
  over.resolve();
  return stray.promise;
}

describe("code that a test left running, and that calls the service after it", () => {
  base.each(Object.entries(clients))("is refused by %s before it looks up the host, and named", async (name, send) => {
    const error = await strayAfter(`polls by ${name}`, send);
    expect(messagesOf(error)).toContain(`it comes from code that the test "polls by ${name}" left running`);
    expect(lookUp).not.toHaveBeenCalled();
    expect(warned).toHaveBeenCalledExactlyOnceWith(
      expect.stringContaining(`the test "polls by ${name}" left running`),
      "CentavoWarning",
    );
    warned.mockClear();
  });
});

function messagesOf(error: unknown): string {
  return error instanceof Error ? `${error.message} ${messagesOf(error.cause)}` : "";
}

// Port 1 of this machine refuses, so a call that leaves ends in ECONNREFUSED.
const lookup: http.RequestOptions["lookup"] = (_host, options, done) => {
  if (options.all === true) done(null, [{ address: "127.0.0.1", family: 4 }]);
  else done(null, "127.0.0.1", 4);
};

async function codeOf(url: string): Promise<string | undefined> {
  const [error] = (await once(http.get(url, { lookup }), "error")) as [NodeJS.ErrnoException];
  return error.code;
}

describe("other code", () => {
  const test = withSimulator(base, { baseUrl: "http://real.example:1", network: "intercept" });

  test("is answered in its own test", async ({ network }) => {
    expect((await fetch(`${network.baseUrl}/.well-known/jwks.json`)).status).toBe(200);
  });

  base("reaches the host in a later test without a simulator", async () => {
    await turn();
    expect(await codeOf("http://real.example:1/")).toBe("ECONNREFUSED");
  });

  test("is answered in a later test with a simulator", async ({ network }) => {
    expect((await fetch(`${network.baseUrl}/.well-known/jwks.json`)).status).toBe(200);
  });
});
