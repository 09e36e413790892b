import { createRequire } from "node:module";
import https from "node:https";
import { createSimulator } from "centavo";
import { handlers } from "centavo/msw";
import { intercept } from "centavo/node";
import { expect, onTestFinished, test, vi } from "vitest";

type Answer = (given: unknown) => unknown;
interface Rest {
  get(url: string, answer: (request: object, send: Answer, context: { readonly text: Answer }) => unknown): object;
}
interface Server {
  listen(options: object): void;
  close(): void;
}

vi.mock("msw", async () => {
  const { createRequire: requireFrom } = await import("node:module");
  return requireFrom(new URL("../../../installs/peers/msw-1/package.json", import.meta.url))("msw") as object;
});

const outcomeOf: Record<string, (url: string) => Promise<number | undefined>> = {
  fetch: async (url) => (await fetch(url)).status,
  "node:https": (url) =>
    new Promise((resolve, reject) => {
      https.get(url, (answer) => resolve(answer.resume().statusCode)).on("error", reject);
    }),
};

test("handlers() refuses MSW 1, and names what to do instead", () => {
  expect(() => handlers(createSimulator())).toThrow(
    expect.objectContaining({
      code: "INVALID_STATE",
      message:
        "handlers() needs MSW 2.11 or later, and the installed MSW is older. Update msw, " +
        "or call intercept(sim) from centavo/node before server.listen() instead, which works beside older versions. " +
        'A server with onUnhandledRequest: "error" then has to let calls to the service pass (node_modules/centavo/docs/guide/ways-in.md#msw).',
    }),
  );
});

test.for(Object.keys(outcomeOf))("intercept before server.listen() works beside MSW 1, for %s", async (client) => {
  const status = outcomeOf[client] as (url: string) => Promise<number | undefined>;
  const require = createRequire(new URL("../../../installs/peers/msw-1/package.json", import.meta.url));
  const { rest } = require("msw") as { readonly rest: Rest };
  const { setupServer } = require("msw/node") as { readonly setupServer: (...list: object[]) => Server };
  const sim = createSimulator({ baseUrl: "https://api.pay.example" });
  const server = setupServer(rest.get("https://maps.example/", (_request, send, { text }) => send(text("a map"))));
  onTestFinished(async () => {
    server.close();
    await sim.close();
  });
  intercept(sim);
  server.listen({ onUnhandledRequest: "bypass" });
  expect(await status(`${sim.baseUrl}/.well-known/jwks.json`)).toBe(200);
  expect(await status("https://maps.example/")).toBe(200);
});
