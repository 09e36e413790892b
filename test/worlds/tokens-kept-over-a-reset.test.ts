import { createSimulator, replay } from "centavo";
import { simulated } from "centavo/testing";
import { describe, expect, test, vi } from "vitest";
import { ok } from "../merchant/answers.ts";
import { callWith, register, tokensOf } from "../merchant/requests.ts";
import { shopThatKeepsItsToken } from "../testing/a-shop-that-lives-on.ts";

test("a shop that keeps its token goes on after sim.reset({ keepTokens: true })", async () => {
  const sim = createSimulator();
  const shop = shopThatKeepsItsToken();
  await shop.transactions(sim);
  for (let time = 0; time < 3; time += 1) {
    sim.reset({ keepTokens: true });
    expect((await shop.transactions(sim)).status).toBe(200);
  }
  expect(shop.logins).toBe(1);
  sim.reset();
  expect((await shop.transactions(sim)).status).toBe(401);
});

test("a call with a token from before the reset prints once how to keep it, and is replayed", async () => {
  const warned = vi.spyOn(process, "emitWarning").mockImplementation(() => undefined);
  const sim = createSimulator();
  const shop = shopThatKeepsItsToken();
  await shop.transactions(sim);
  sim.reset();
  for (let time = 0; time < 2; time += 1) expect((await shop.transactions(sim)).status).toBe(401);
  expect(warned.mock.calls).toEqual([[expect.stringContaining("sim.reset({ keepTokens: true })"), "CentavoWarning"]]);
  expect(sim.journal.toString()).toContain("its access token is from before sim.reset()");
  expect((await replay(sim.recording())).journal.digest()).toBe(sim.journal.digest());
  warned.mockRestore();
});

test("a run with kept tokens is replayed", async () => {
  const sim = createSimulator();
  const shop = shopThatKeepsItsToken();
  await shop.transactions(sim);
  sim.reset({ keepTokens: true });
  await shop.transactions(sim);
  expect((await replay(sim.recording())).journal.digest()).toBe(sim.journal.digest());
});

test("a kept token expires", async () => {
  const sim = createSimulator();
  const shop = shopThatKeepsItsToken();
  await shop.transactions(sim);
  sim.reset({ keepTokens: true });
  await sim.clock.advance("2 hours");
  expect((await shop.transactions(sim)).status).toBe(401);
});

test("the token of a merchant that the reset removes is not kept", async () => {
  const sim = createSimulator();
  const merchant = ok(await register(sim, { name: "Second", email: "second@shop.example" }));
  const { access } = await tokensOf(sim, {
    clientId: String(merchant["clientId"]),
    clientSecret: String(merchant["clientSecret"]),
  });
  expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(200);
  sim.reset({ keepTokens: true });
  expect((await callWith(access, sim, "/api/payment-intent", { amount: 1 })).status).toBe(401);
});

describe("the option keepTokens of a test", () => {
  test(
    "keeps tokens over sim.reset() and over that of a fork",
    simulated({ keepTokens: true, name: "kept over a reset" }, async ({ sim }) => {
      const shop = shopThatKeepsItsToken();
      await shop.transactions(sim);
      sim.reset();
      expect((await shop.transactions(sim)).status).toBe(200);
      const fork = sim.fork();
      fork.reset();
      expect((await shop.transactions(fork)).status).toBe(200);
      sim.reset({ keepTokens: false });
      expect((await shop.transactions(sim)).status).toBe(401);
    }),
  );

  test("is refused by createSimulator, which names the calls that take it", () => {
    // @ts-expect-error it is an option of tests
    expect(() => createSimulator({ keepTokens: true })).toThrow(
      'createSimulator has no option "keepTokens": it is an option of withSimulator and simulated, and of sim.reset({ keepTokens: true }).',
    );
    // @ts-expect-error so is this
    expect(() => createSimulator({ fakeDate: true })).toThrow("it is an option of withSimulator and simulated.");
  });
});

test("sim.reset takes nothing else", () => {
  // @ts-expect-error it takes a boolean
  expect(() => createSimulator().reset({ keepTokens: "yes" })).toThrow("sim.reset: the option keepTokens is");
  // @ts-expect-error there is no such option
  expect(() => createSimulator().reset({ keepToken: true })).toThrow('The nearest is "keepTokens"');
});
