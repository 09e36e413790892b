import { createRequire } from "node:module";
import { describe, expect, test } from "vitest";
import type * as core from "../../src/index.ts";
import type * as clientEntry from "../../src/client.ts";
import type * as serverEntry from "../../src/server.ts";

const required = createRequire(import.meta.url);
const build = new URL("../../dist/", import.meta.url);
const load = async <Entry>(name: string) => ({
  imported: (await import(new URL(`esm/${name}.js`, build).href)) as Entry,
  required: required(new URL(`cjs/${name}.js`, build).pathname) as Entry,
});

const simulators = await load<typeof core>("index");
const clients = await load<typeof clientEntry>("client");
const servers = await load<typeof serverEntry>("server");

describe.for([
  ["imported", "required"],
  ["required", "imported"],
] as const)("what the %s build makes", ([made, other]) => {
  test("is another class, and an instance for the other build all the same", async () => {
    const { CentavoError } = simulators[other];
    const { ServiceError } = clients[other];
    const sim = simulators[made].createSimulator();
    const client = clients[made].createClient({ ...sim.credentials, baseUrl: sim.baseUrl, fetch: sim.fetch });
    const refused = await client.paymentIntents.status("pi_unknown").catch((error: unknown) => error);
    const misused = thrownBy(() => sim.intents.cancel("pi_unknown"));
    expect(CentavoError).not.toBe(simulators[made].CentavoError);
    expect(misused).toBeInstanceOf(CentavoError);
    expect(refused).toBeInstanceOf(ServiceError);
    expect([refused instanceof CentavoError, misused instanceof ServiceError]).toEqual([false, false]);
    expect(Object.getOwnPropertySymbols(misused)).toEqual([]);
    expect([CentavoError.name, ServiceError.name]).toEqual(["CentavoError", "ServiceError"]);
  });

  test("is not an instance of a class that extends the other build's", () => {
    class OwnError extends simulators[other].CentavoError {}
    const misused = thrownBy(() => simulators[made].createSimulator().intents.cancel("pi_unknown"));
    const own = new OwnError("NOT_FOUND", "There is none.");
    expect(misused instanceof OwnError).toBe(false);
    expect(own instanceof OwnError).toBe(true);
    expect(own instanceof simulators[made].CentavoError).toBe(true);
  });

  test("is served by the other build, refusals included", async () => {
    const sim = simulators[made].createSimulator();
    const server = await servers[other].serve(sim);
    const client = clients[other].createClient({ ...sim.credentials, baseUrl: server.url });
    const { id } = await client.paymentIntents.create({ amount: 10000 });
    const tooLarge = await fetch(`${server.url}/oauth`, { method: "POST", body: "x".repeat(2_000_000) });
    expect(sim.intents.get(id)?.amount).toBe(10000);
    expect(tooLarge.status).toBe(413);
    await server.close();
  });
});

test.for([null, undefined, 0, "text", Symbol("a"), {}, new Error("an error")])("%s is no instance", (value) => {
  expect(value instanceof simulators.imported.CentavoError).toBe(false);
  expect(value instanceof clients.required.ServiceError).toBe(false);
});

function thrownBy(work: () => unknown): Error {
  try {
    work();
  } catch (error) {
    return error as Error;
  }
  throw new Error("Nothing was thrown.");
}
