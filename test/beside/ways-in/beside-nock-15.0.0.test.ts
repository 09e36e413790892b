import { describe, expect, test } from "vitest";
import { clients, eachAnswersItsOwn, interception, mockBy, nockOf, pay } from "./another-mock.ts";

const nock = await nockOf("nock-15.0.0");
const strict = mockBy(nock, { isStrict: true });

eachAnswersItsOwn("nock 15.0.0", mockBy(nock, { isStrict: false }));

describe("nock 15.0.0 that disables the network", () => {
  const ours = interception(strict);

  test("takes the global fetch when it starts after Centavo, so it refuses the payment", async () => {
    ours.start();
    strict.start();
    await expect(clients.fetch(pay)).rejects.toThrow("Nock: Disallowed net connect");
    expect(await clients["node:https"](pay)).toContain('"method":"GET"');
  });

  test("leaves every client its payments when it starts before, as it does by its import", async () => {
    strict.start();
    ours.start();
    for (const send of Object.values(clients)) expect(await send(pay)).toContain('"method":"GET"');
  });
});
