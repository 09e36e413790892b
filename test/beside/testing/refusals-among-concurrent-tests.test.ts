import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Simulator } from "centavo";
import { simulated } from "centavo/testing";
import type { NetworkKind } from "centavo/testing";
import { withSimulator } from "centavo/vitest";
import { createRemoteJWKSet, jwtVerify } from "jose";
import * as openid from "openid-client";
import { afterAll, afterEach, describe, expect, test as base, vi } from "vitest";
import { clients } from "../ways-in/clients.ts";

const TRIED = ["global fetch", "undici.request", "axios over http", "got", "node:https with a keep-alive agent"];
const ELSEWHERE = "https://rates.example/today";

function noted({ journal }: Simulator, kind: "refused" | "warning"): string[] {
  return journal.entries
    .filter((entry) => entry.kind === kind)
    .map(({ volatile }) => String(volatile?.["url"] ?? volatile?.["message"]));
}

/** Resolves once this many have come. */
function meetingOf(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let came = 0;
  return () => {
    came += 1;
    if (came === count) all.resolve();
    return all.promise;
  };
}

const warnings: string[] = [];
const emitWarning = vi
  .spyOn(process, "emitWarning")
  .mockImplementation((warning) => void warnings.push(String(warning)));
afterEach(() => void warnings.splice(0));
afterAll(() => emitWarning.mockRestore());

describe("tests of vitest that run at the same time", () => {
  const test = withSimulator(base, { failOnSwallowedErrors: false });
  // No more than five, because vitest runs five at a time.
  const tried = clients.filter(({ name }) => TRIED.includes(name));
  const allOpen = meetingOf(TRIED.length);
  const allCalled = meetingOf(TRIED.length);

  describe.concurrent("note a refused request in the world of the test that made it", () => {
    for (const [index, { name, call }] of tried.entries()) {
      test(`by ${name}`, async ({ sim, network }) => {
        await allOpen();
        expect(network.kind).toBe("intercept");
        const url = `${ELSEWHERE}/${index}`;
        await call(url).catch(() => undefined);
        await allCalled();
        expect(noted(sim, "refused")).toEqual([url]);
        expect(noted(sim, "warning")).toEqual([]);
      });
    }
  });

  const discovered = meetingOf(3);
  describe.concurrent("read the metadata and the keys of the address that they share", () => {
    for (const name of ["one", "two", "three"]) {
      test(`by openid-client and jose: ${name}`, async ({ sim, network }) => {
        const { clientId, clientSecret } = sim.credentials;
        const issuer = new URL(network.authUrl);
        await discovered();
        const found = await openid.discovery(issuer, clientId, clientSecret);
        const { access_token: token } = await openid.clientCredentialsGrant(found);
        const keys = createRemoteJWKSet(new URL(String(found.serverMetadata().jwks_uri)));
        const { payload } = await jwtVerify(token, keys, { currentDate: new Date(sim.clock.now()) });
        expect(payload.sub).toBe(clientId);
        expect(sim.journal.entries.filter(({ kind }) => kind === "warning" || kind === "refused")).toEqual([]);
      });
    }
  });
});

describe("simulated tests that run at the same time", () => {
  const kinds = { fakeDate: false, recordings: false } as const;

  /** Runs two tests at once, the first of which lets this be done, and returns how each ended. */
  async function during(
    act: () => Promise<unknown>,
  ): Promise<readonly [PromiseSettledResult<void>, PromiseSettledResult<void>]> {
    const [begun, done] = [meetingOf(2), meetingOf(2)];
    const run = (name: string, work: () => Promise<unknown>): Promise<void> =>
      simulated({ ...kinds, name, credentials: { clientId: name } }, async ({ network }) => {
        expect(network.kind).toBe("intercept");
        await begun();
        await work();
        await done();
      })();
    return Promise.allSettled([run("calls elsewhere", act), run("does nothing", async () => undefined)]);
  }

  base("fail only the one that swallowed the error of a refused request", async () => {
    const [guilty, other] = await during(() => fetch(ELSEWHERE).catch(() => undefined));
    expect(guilty).toMatchObject({ status: "rejected", reason: { code: "SWALLOWED_ERRORS" } });
    expect(String((guilty as PromiseRejectedResult).reason)).toContain(`GET ${ELSEWHERE} was refused`);
    expect(other.status).toBe("fulfilled");
    expect(warnings).toEqual([]);
  });

  base("are none of them failed when nothing tells whose request it was, and the process warns", async () => {
    const refused: unknown[] = [];
    const shop = createServer((_, response) => {
      fetch(ELSEWHERE).catch((error: unknown) => {
        refused.push(error);
        response.end();
      });
    });
    await new Promise<void>((resolve) => shop.listen(0, "127.0.0.1", resolve));
    const { port } = shop.address() as AddressInfo;
    const ended = await during(async () => (await fetch(`http://127.0.0.1:${port}`)).text());
    await new Promise((resolve) => shop.close(resolve));
    expect(ended.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
    const both = 'the world of the test "calls elsewhere" and the world of the test "does nothing"';
    expect(refused).toEqual([
      expect.objectContaining({
        cause: expect.objectContaining({
          code: "UNEXPECTED_REQUEST",
          message: expect.stringContaining(`Nothing tells which of these worlds made it: ${both}`) as string,
        }) as Error,
      }),
    ]);
    expect(warnings).toEqual([
      expect.stringContaining("No test fails for it, because any of them may have made the request."),
    ]);
  });

  base("are told apart by an id that the refused request carries, before async context", async () => {
    const open: { readonly [name: string]: Simulator } & Record<string, Simulator> = {};
    const [begun, done] = [meetingOf(2), meetingOf(2)];
    let intentOfSecond = "";
    const run = (name: string): Promise<void> =>
      simulated({ ...kinds, name, failOnSwallowedErrors: false }, async ({ sim, client, network }) => {
        expect(network.kind).toBe("intercept");
        open[name] = sim;
        if (name === "second") intentOfSecond = (await client.paymentIntents.create({ amount: 10000 })).id;
        await begun();
        if (name === "first") {
          await fetch(ELSEWHERE, { method: "POST", body: intentOfSecond }).catch(() => undefined);
          await fetch(`${ELSEWHERE}?payment=${intentOfSecond}`).catch(() => undefined);
          await fetch(ELSEWHERE, { headers: { authorization: `Bearer ${intentOfSecond}` } }).catch(() => undefined);
        }
        await done();
      })();
    await Promise.all([run("first"), run("second")]);
    expect(noted(open["first"] as Simulator, "refused")).toEqual([ELSEWHERE]);
    expect(noted(open["second"] as Simulator, "refused")).toHaveLength(2);
  });
});

describe("the advice of a refused request", () => {
  const messageOf = async (call: Promise<unknown>): Promise<string> => {
    const { cause } = (await call.catch((error: unknown) => error)) as { readonly cause: Error };
    return cause.message;
  };
  const kinds: readonly NetworkKind[] = ["intercept", "fetch"];

  for (const kind of kinds) {
    withSimulator(base, { network: kind, failOnSwallowedErrors: false })(
      `names the option of withSimulator, with network: "${kind}"`,
      async ({ network }) => {
        expect(await messageOf(network.fetch(ELSEWHERE))).toContain(
          'allow it: withSimulator(test, { allow: ["https://rates.example"] }).',
        );
      },
    );
    base(
      `names the option of simulated, with network: "${kind}"`,
      simulated({ network: kind, failOnSwallowedErrors: false }, async ({ network }) => {
        expect(await messageOf(network.fetch(ELSEWHERE))).toContain(
          'allow it: simulated({ allow: ["https://rates.example"] }, …).',
        );
      }),
    );
  }
});
