import { createSimulator } from "centavo";
import type { Simulator } from "centavo";
import { describe, expect, test } from "vitest";

const encoder = new TextEncoder();
const json = JSON.stringify({ clientId: "public", clientSecret: "secret" });

/** Each body is sent as a text, which the simulator takes as it is, and as bytes, which it reads from a stream. */
const bodies: Readonly<Record<string, string>> = {
  "plain JSON": json,
  "an empty text": "",
  "text that is not JSON": "{",
  "a lone surrogate": JSON.stringify({ clientId: "x" }).replace("x", "\uD800"),
  "a byte order mark": `\uFEFF${json}`,
  "two byte order marks": `\uFEFF\uFEFF${json}`,
  "exactly 1 MiB": JSON.stringify({ clientId: "" }).padEnd(1024 * 1024, " "),
  "one byte over 1 MiB": JSON.stringify({ clientId: "" }).padEnd(1024 * 1024 + 1, " "),
  "under 1 Mi characters, over 1 MiB of bytes": "₱".repeat(350_000),
};

describe("a body that is given as text", () => {
  test.for(Object.entries(bodies))("is answered as its bytes are: %s", async ([, body]) => {
    for (const contentType of ["application/json", "application/x-www-form-urlencoded", undefined]) {
      const headers: Record<string, string> = contentType === undefined ? {} : { "content-type": contentType };
      const text = await answerTo((sim) => sim.fetch(`${sim.authUrl}/oauth`, { method: "POST", headers, body }));
      const sent = contentType === undefined ? { "content-type": "text/plain;charset=UTF-8" } : headers;
      const bytes = await answerTo((sim) =>
        sim.fetch(`${sim.authUrl}/oauth`, { method: "POST", headers: sent, body: encoder.encode(body) }),
      );
      expect(text).toEqual(bytes);
    }
  });

  test("is also read from an object that inherits it", async () => {
    const init = Object.create({
      method: "POST",
      body: json,
      headers: { "content-type": "application/json" },
    }) as object;
    const own = { method: "POST", body: json, headers: { "content-type": "application/json" } };
    expect(await answerTo((sim) => sim.fetch(`${sim.authUrl}/oauth`, init))).toEqual(
      await answerTo((sim) => sim.fetch(`${sim.authUrl}/oauth`, own)),
    );
  });

  test.for(["GET", "HEAD"])("is refused with %s, as fetch refuses it", async (method) => {
    await using sim = createSimulator();
    await expect(sim.fetch("/api/payment-intent/pi_1/status", { method, body: "{}" })).rejects.toThrow(TypeError);
  });

  test("does not reach the service after its caller has given up", async () => {
    await using sim = createSimulator();
    const signal = AbortSignal.abort(new Error("too late"));
    await expect(sim.fetch("/oauth", { method: "POST", body: json, signal })).rejects.toThrow("too late");
    expect(String(sim.journal)).not.toContain("/oauth");
  });
});

async function answerTo(call: (sim: Simulator) => Promise<Response>): Promise<object> {
  await using sim = createSimulator();
  const answer = await call(sim);
  return { status: answer.status, body: await answer.text(), journal: sim.journal.digest() };
}
