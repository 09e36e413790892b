import { expect, test } from "vitest";
import { centavoIn } from "./commands.ts";
import type { Ran } from "./commands.ts";
import { served } from "./served.ts";
import { folderWith } from "./story-folder.ts";

function serveWith(option: string, text: string): Promise<Ran> {
  return centavoIn(folderWith({ "file.json": text }), "serve", "--port", "0", option, "file.json");
}

test("--credentials gives the merchant's ids and secrets, and the rest is drawn", async () => {
  const credentials = { clientId: "the-shop", clientSecret: "csec_fake_of_the_shop" };
  const { text } = await serveWith("--credentials", `\uFEFF${JSON.stringify(credentials)}`);
  expect(text).toContain("client id       the-shop");
  expect(text).toContain("client secret   csec_fake_of_the_shop");
  expect(text).toMatch(/admin key {7}\S+/);
});

test.for([
  ["--credentials", "{", /^--credentials: the file "file.json" is not JSON: /],
  ["--credentials", "[]", /^--credentials: the file "file.json" holds \[\], and takes one object, such as \{/],
  ["--credentials", '{ "clientID": "shop" }', /credentials\.clientID does not exist\. It takes clientId/],
  ["--credentials", '{ "clientId": 5 }', /credentials\.clientId is not valid/],
  ["--faults", "nothing", /^--faults: the file "file.json" is not JSON: /],
  ["--faults", "{}", /^--faults: the file "file.json" holds \{\}, and takes a list of faults, such as \[\{/],
  [
    "--faults",
    '[{ "kind": "response.lost" }, { "kind": "response.los" }]',
    /^--faults: fault 2 of 2: .*"response\.lost"/,
  ],
  ["--faults", '[{ "kind": "response.lost", "rout": "x" }]', /^--faults: fault 1 of 1: .*"route"/],
  ["--faults", '[{ "kind": "response.lost", "route": "intent.confirm" }]', /payment-intent\.confirm/],
  ["--faults", "[5]", /^--faults: fault 1 of 1: .*not 5/],
] as const)("%s with %s is refused: %s", async ([option, text, message]) => {
  await expect(serveWith(option, text)).rejects.toMatchObject({
    name: "CentavoError",
    message: expect.stringMatching(message) as unknown,
  });
});

test.for(["--credentials", "--faults"])("%s with a file that is not there is refused by its name", async (option) => {
  await expect(centavoIn(folderWith({}), "serve", "--port", "0", option, "gone.json")).rejects.toThrow(
    `${option}: the file "gone.json" cannot be read: ENOENT`,
  );
});

test("the faults of --faults are planned before the first request", async () => {
  const { client } = await served({
    faults: [{ kind: "request.status", status: 503, route: "payment-intent.create", times: 1 }],
  });
  await expect(client.paymentIntents.create({ amount: 10_000 })).rejects.toMatchObject({ status: 503 });
  expect((await client.paymentIntents.create({ amount: 10_000 })).amount).toBe(10_000);
});

test("an address that is not of this machine is refused by its option", async () => {
  await expect(centavoIn(folderWith({}), "serve", "--port", "0", "--host", "203.0.113.1")).rejects.toThrow(
    '--host "203.0.113.1" is no address of this machine.',
  );
});

test("--host opens every address of the machine", async () => {
  const { server } = await served({ host: "0.0.0.0" });
  expect(server.url).toMatch(/^http:\/\/localhost:\d+$/);
  expect((await fetch(`${server.url}/.well-known/jwks.json`)).status).toBe(200);
});
