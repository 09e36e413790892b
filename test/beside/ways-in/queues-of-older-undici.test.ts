import { intercept } from "centavo/node";
import type * as undici from "undici";
import { expect, test } from "vitest";
import { serviceThatWaits } from "./a-service-that-waits.ts";
import { requireOf } from "./another-mock.ts";
import { echoService } from "../../ways-in/echo-service.ts";

const base = "http://api.pay.example";

test.each(["undici-6", "undici-7"].flatMap((peer) => [[peer, "Pool"] as const, [peer, "BalancedPool"] as const]))(
  "a call that waits in %s's %s reaches no interception that has begun meanwhile",
  async (peer, kind) => {
    const { request, [kind]: Pool } = requireOf(peer)("undici") as typeof undici;
    const dispatcher = new Pool(base, { connections: 1 });
    const send = async (path: string): Promise<number> => {
      const { statusCode, body } = await request(`${base}${path}`, { dispatcher });
      await body.dump();
      return statusCode;
    };
    const service = serviceThatWaits(base);
    const network = intercept(service);
    const first = send("/first");
    const queued = send("/queued").catch((error: unknown) => error);
    await service.arrival;
    network.close();
    const next = echoService(base);
    using _ = intercept(next);
    service.answer();
    expect(await first).toBe(200);
    expect(await queued).toMatchObject({ code: "WORLD_ENDED" });
    expect(await send("/of-the-next")).toBe(200);
    expect(next.seen.map(({ path }) => path)).toEqual(["/of-the-next"]);
  },
);
