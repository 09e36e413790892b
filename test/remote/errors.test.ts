import { createServer } from "node:http";
import { CentavoError, createSimulator } from "centavo";
import { connectSimulator } from "centavo/client";
import { serve } from "centavo/server";
import { expect, test } from "vitest";
import { errorOf } from "./ways.ts";

test("an address that is none, and a missing token, are refused at once", () => {
  expect(() => connectSimulator("shop", { token: "t" })).toThrow(/base URL of a world/);
  expect(() => connectSimulator("http://127.0.0.1:4010", {} as never)).toThrow(/option token is missing/);
  expect(() => connectSimulator("http://127.0.0.1:4010", { tokn: "t" } as never)).toThrow(/"token"/);
});

test.each(["http://me:secret@127.0.0.1:4010", "http://127.0.0.1:4010?token=secret", "http://127.0.0.1:4010/#secret"])(
  "an address with more than a base URL is refused at once, without what may be a secret: %s",
  (url) => {
    const connect = (): unknown => connectSimulator(url, { token: "t" });
    expect(connect).toThrow("connectSimulator(…): the first argument is the base URL of a world");
    expect(connect).not.toThrow("secret");
  },
);

test("a wrong token is told from a wrong call", async () => {
  await using server = await serve(createSimulator());
  const error = await errorOf(() => connectSimulator(server.url, { token: "guessed" }).clock.now());
  expect(error).toBeInstanceOf(CentavoError);
  expect(error).toMatchObject({
    code: "INVALID_OPTION",
    message: expect.stringContaining("refused the token") as unknown,
  });
});

test("an unknown world, and an address where no server is or another one, are named", async () => {
  const server = await serve(createSimulator());
  const { url, token } = server;
  expect(await errorOf(() => connectSimulator(`${url}/worlds/none`, { token }).clock.now())).toMatchObject({
    code: "NOT_FOUND",
    message: expect.stringContaining('no world named "none"') as unknown,
  });
  await server.close();
  expect(await errorOf(() => connectSimulator(url, { token }).clock.now())).toMatchObject({
    code: "NOT_CONNECTED",
    message: expect.stringContaining("npx centavo serve") as unknown,
  });
  const other = createServer((_, response) => response.end("<html>")).listen(0, "127.0.0.1");
  await new Promise((resolve) => other.once("listening", resolve));
  const { port } = other.address() as { readonly port: number };
  expect(await errorOf(() => connectSimulator(`http://127.0.0.1:${port}`, { token }).clock.now())).toMatchObject({
    code: "NOT_CONNECTED",
    message: expect.stringContaining("is not JSON") as unknown,
  });
  other.close();
});

test("what cannot be sent is refused, and the text of the journal is awaited", async () => {
  await using server = await serve(createSimulator());
  const { url, token } = server;
  const sim = connectSimulator(url, { token });
  const progress = { onProgress: () => undefined };
  expect(await errorOf(() => (sim.clock.advance as (...given: unknown[]) => unknown)("1 day", progress))).toMatchObject(
    {
      message: expect.stringContaining("onProgress is a function") as unknown,
    },
  );
  expect(await errorOf(() => (sim.report as (path: string) => unknown)("report.html"))).toMatchObject({
    code: "INVALID_OPTION",
  });
  expect(() => String(sim.journal)).toThrow("await sim.journal.toString()");
  expect(await errorOf(() => sim.close())).toMatchObject({ code: "INVALID_STATE" });
});

test("the likely causes of a failure are found from outside", async () => {
  await using server = await serve(createSimulator());
  const sim = connectSimulator(server.url, { token: server.token });
  expect(await sim.causes()).toMatchObject({ causes: [], nothingFound: { sentence: expect.any(String) as unknown } });
  await sim.make.intent();
  await sim.faults.add({ id: "never", kind: "response.lost", route: "checkout.create" });
  const { causes, text } = await sim.causes(new Error("expected 1 to be 2"));
  expect(causes).toMatchObject([{ name: "unused-fault", sentence: expect.stringContaining("never") as unknown }]);
  expect(text).toContain("Seed: ");
});

test("time passes until a resource has a status, and wrong names get the nearest right ones", async () => {
  const local = createSimulator();
  await using server = await serve(local);
  const sim = connectSimulator(server.url, { token: server.token });
  const { id } = await sim.make.subscription({ status: "active" });
  const advance = async (given: object): Promise<{ readonly status: number; readonly text: string }> => {
    const response = await fetch(`${server.controlUrl}/clock/advance-until`, {
      method: "POST",
      headers: { authorization: `Bearer ${server.token}` },
      body: JSON.stringify({ resource: "subscriptions", id, status: "past_due", ...given }),
    });
    return { status: response.status, text: await response.text() };
  };
  expect(await advance({ resource: "subscription" })).toMatchObject({
    status: 400,
    text: expect.stringContaining("subscriptions") as unknown,
  });
  expect(await advance({ status: "past_deu" })).toMatchObject({
    status: 400,
    text: expect.stringContaining("past_due") as unknown,
  });
  expect(await advance({ id: "sub_none" })).toMatchObject({ status: 404 });
  expect(await advance({ limit: "1 day" })).toMatchObject({
    status: 409,
    text: expect.stringContaining('it has \\"active\\"') as unknown,
  });
  await sim.faults.add({ kind: "processor.decline", code: "insufficient_funds" });
  expect(await advance({})).toMatchObject({ status: 200 });
  expect(local.subscriptions.get(id)?.status).toBe("past_due");
});
