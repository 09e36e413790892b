import type * as msw from "msw";
import { vi } from "vitest";
import { eachAnswersItsOwn, type Mock, requireOf, shop } from "./another-mock.ts";

const require = requireOf("msw-2");
const { http, HttpResponse } = require("msw") as typeof msw;
const { setupServer } = require("msw/node") as {
  readonly setupServer: (...list: msw.RequestHandler[]) => { listen(options: object): void; close(): void };
};
const server = setupServer(http.get(shop, () => HttpResponse.text("theirs")));

function started(onUnhandledRequest: "bypass" | "error"): Mock {
  return { start: () => server.listen({ onUnhandledRequest }), stop: () => server.close() };
}

// MSW prints what it refuses.
vi.spyOn(console, "error").mockImplementation(() => undefined);

eachAnswersItsOwn("msw 2.15", started("bypass"));
eachAnswersItsOwn("msw 2.15 that refuses what it has no handler for", started("error"));
