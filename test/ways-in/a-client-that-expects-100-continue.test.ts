import { request as httpRequest } from "node:http";
import { request as httpsRequest } from "node:https";
import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { intercept } from "centavo/node";
import { serve } from "centavo/server";
import { describe, expect, test } from "vitest";

/** Sends a token request whose body waits for `100 Continue`, and returns how often that came, and the status. */
function login(sim: Simulator, baseUrl: string, expected: string): Promise<readonly [number, number | undefined]> {
  const { clientId, clientSecret } = sim.credentials;
  const body = JSON.stringify({ client_id: clientId, client_secret: clientSecret });
  const open = baseUrl.startsWith("https:") ? httpsRequest : httpRequest;
  return new Promise((resolve, reject) => {
    let continued = 0;
    const outgoing = open(`${baseUrl}/oauth`, {
      method: "POST",
      headers: { "content-type": "application/json", "content-length": Buffer.byteLength(body), expect: expected },
    });
    outgoing.on("continue", () => {
      continued += 1;
      outgoing.end(body);
    });
    outgoing.on("response", (answer) => resolve([continued, answer.resume().statusCode]));
    outgoing.on("error", reject);
    outgoing.flushHeaders();
  });
}

describe("a client that expects 100-continue gets it once", () => {
  test.for(["https://api.pay.example", "http://api.pay.example"])("under interception of %s", async (baseUrl) => {
    await using sim = createSimulator({ baseUrl });
    intercept(sim);
    expect(await login(sim, baseUrl, "100-continue")).toEqual([1, 200]);
    expect(await login(sim, baseUrl, "100-Continue")).toEqual([1, 200]);
  });

  test("from a server", async () => {
    await using sim = createSimulator();
    await using server = await serve(sim);
    expect(await login(sim, server.url, "100-continue")).toEqual([1, 200]);
  });

  test("from a server of this machine that interception lets through", async () => {
    await using sim = createSimulator();
    await using server = await serve(createSimulator());
    intercept(sim);
    expect(await login(sim, server.url, "100-continue")).toEqual([1, 200]);
  });
});
