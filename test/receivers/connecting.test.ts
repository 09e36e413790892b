import { describe, expect, test } from "vitest";
import { CentavoError } from "../../src/kit/base/errors/centavo-error.ts";
import type { MerchantApp } from "../../src/kit/receivers/merchant-app.ts";
import { createReceiver } from "../../src/kit/receivers/receiver.ts";

const origin = "https://shop.example";

function hook(): Request {
  return new Request(`${origin}/hooks`);
}

describe("what is connected is told apart", () => {
  test("a function by its number of parameters, unless it is named", async () => {
    const listener = createReceiver(origin, (_req, res) => void res.end("listener"));
    expect(await listener.send(hook())).toMatchObject({ bodyExcerpt: "listener" });
    await listener.close();

    const spread = { listener: (...[, res]: [unknown, { end(text: string): void }]) => res.end("named listener") };
    const named = createReceiver(origin, spread);
    expect(await named.send(hook())).toMatchObject({ bodyExcerpt: "named listener" });
    await named.close();

    const handler = createReceiver(origin, { fetch: (...[request]) => new Response(request.method) });
    expect(await handler.send(hook())).toMatchObject({ bodyExcerpt: "GET" });
  });

  test("an object keeps its this", async () => {
    class Shop {
      readonly greeting = "mabuhay";
      fetch(): Response {
        return new Response(this.greeting);
      }
    }
    expect(await createReceiver(origin, new Shop()).send(hook())).toMatchObject({ bodyExcerpt: "mabuhay" });
  });

  test.each<[unknown, RegExp]>([
    [undefined, /was given undefined/],
    ["http://localhost:3000", /was given the string "http:\/\/localhost:3000"/],
    [{}, /an empty object/],
    [{ get: 1, post: 2 }, /an object with get, post/],
    [Promise.resolve({}), /a promise of something: await it first/],
    [{ default: () => new Response() }, /a module: connect its default export/],
    [{ fetch: () => new Response(), listener: () => undefined }, /an object with fetch, listener/],
  ])("and %o is refused, with what is accepted", (app, given) => {
    const connecting = () => createReceiver(origin, app as MerchantApp);
    expect(connecting).toThrow(CentavoError);
    expect(connecting).toThrow(given);
    expect(connecting).toThrow(
      /sim\.connect\("https:\/\/shop\.example", app\).*Express or Koa app, a Fastify instance/,
    );
  });
});
