import { createSimulator } from "centavo";
import { handlers } from "centavo/msw";
import { setupServer } from "msw/node";
import { afterEach, beforeEach, expect, test, vi } from "vitest";

// A workspace with msw 2 at its root, where centavo/msw finds it, and msw 3 in the package whose tests run.
vi.mock("msw", async () => {
  const { createRequire } = await import("node:module");
  return createRequire(new URL("../../../installs/peers/msw-2/package.json", import.meta.url))("msw") as object;
});

const jwks = "https://api.pay.example/.well-known/jwks.json";
const sim = createSimulator({ baseUrl: "https://api.pay.example" });
let printed: ReturnType<typeof vi.spyOn>;

beforeEach(() => {
  printed = vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(() => {
  expect(printed).not.toHaveBeenCalled();
  vi.restoreAllMocks();
});

test("they are made by msw 2", async () => {
  const { RequestHandler } = await import("msw");
  expect(handlers(sim)[0]).toBeInstanceOf(RequestHandler);
  expect("dispose" in RequestHandler.prototype).toBe(false);
});

test("a server takes them at its beginning, and closes", async () => {
  const server = setupServer(...handlers(sim));
  server.listen({ onUnhandledFrame: "error" });
  expect((await fetch(jwks)).status).toBe(200);
  server.close();
});

test("a server takes them later, resets them, and closes", async () => {
  const server = setupServer();
  server.listen({ onUnhandledFrame: "bypass" });
  server.use(...handlers(sim));
  expect((await fetch(jwks)).status).toBe(200);
  server.resetHandlers();
  server.use(...handlers(sim));
  expect((await fetch(jwks)).status).toBe(200);
  server.close();
});
