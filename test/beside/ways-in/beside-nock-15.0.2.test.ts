import { expect, test } from "vitest";
import { clients, interception, mockBy, nockOf, pay, shop } from "./another-mock.ts";

// It brings an earlier copy of the interceptors that Centavo uses.
const theirs = mockBy(await nockOf("nock-15.0.2"), { isStrict: false });
const ours = interception(theirs);
const wayOut = /another copy of @mswjs\/interceptors is active.*msw 3 and nock 15\.0\.6 share Centavo's copy/s;

test("fetch reaches each for its own when Centavo starts first", async () => {
  ours.start();
  theirs.start();
  expect(await clients.fetch(pay)).toContain('"method":"GET"');
  // Centavo loads its own copy because nock has loaded one, and finds only then that nock's is active.
  for (const part of ["", "/http", "/net"]) await import(/* @vite-ignore */ `@mswjs/interceptors${part}`);
  await new Promise((resolve) => setImmediate(resolve));
  expect(await clients.fetch(shop)).toBe("theirs");
});

test("node:https gets its answers from nock, and for the service a sentence that says what to install", async () => {
  ours.start();
  theirs.start();
  expect(await clients["node:https"](shop)).toBe("theirs");
  await expect(clients["node:https"](pay)).rejects.toThrow(wayOut);
  for (const send of Object.values(clients)) expect(await send(shop)).toBe("theirs");
  expect(ours.service.seen).toHaveLength(0);
});

test("a third host is reached by neither", async () => {
  ours.start();
  theirs.start();
  for (const send of Object.values(clients)) await expect(send("https://elsewhere.example/")).rejects.toThrow();
});

test("a call that may be nock's gets that sentence when nock started first", async () => {
  theirs.start();
  ours.start();
  expect(await clients.fetch(pay)).toContain('"method":"GET"');
  await expect(clients.fetch(shop)).rejects.toMatchObject({
    cause: { message: expect.stringMatching(wayOut) as string },
  });
});
