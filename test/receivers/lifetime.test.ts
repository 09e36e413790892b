import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { HttpRequestInterceptor } from "@mswjs/interceptors/http";
import { setupServer } from "msw/node";
import { describe, expect, test } from "vitest";
import type { NodeListener } from "../../src/kit/base/runtime/http.ts";
import { createReceiver, loopbackReceiver } from "../../src/kit/receivers/receiver.ts";

const origin = "https://shop.example";

function hook(): Request {
  return new Request(`${origin}/hooks`, { method: "POST", body: "{}" });
}

/** Answers with the port that it was reached at. */
const listener: NodeListener = (req, res) => void res.end(String(req.socket.localPort));

describe("the port of a connected listener", () => {
  test("opens with the first request, serves the next ones, and is freed by close", async () => {
    const receiver = createReceiver(origin, { listener });
    const [first, second] = await Promise.all([receiver.send(hook()), receiver.send(hook())]);
    expect(first).toEqual(second);

    const port = first.kind === "answered" ? first.bodyExcerpt : undefined;
    expect(await loopbackReceiver().send(new Request(`http://127.0.0.1:${port}/`))).toEqual(first);
    await receiver.close();
    expect(await loopbackReceiver().send(new Request(`http://127.0.0.1:${port}/`))).toMatchObject({
      reason: "refused",
    });
    expect(await receiver.send(hook())).toMatchObject({ reason: "not-connected" });
  });

  test("breaks requests under way when it closes", async () => {
    const arrived = Promise.withResolvers<void>();
    const receiver = createReceiver(origin, { listener: () => arrived.resolve() });
    const answer = receiver.send(hook());
    await arrived.promise;
    await receiver.close();
    expect(await answer).toMatchObject({ reason: "reset" });
  });

  test("was never open when nothing was sent, and closing twice is fine", async () => {
    const receiver = createReceiver(origin, { listener });
    await receiver.close();
    await receiver.close();
  });

  test("lets the process end, even if it is never closed and receiverTimeout is an hour", async () => {
    const module = new URL("../../src/kit/receivers/receiver.ts", import.meta.url).href;
    const script = `
      import { createReceiver } from ${JSON.stringify(module)};
      const options = { receiverTimeout: 3_600_000 };
      for (const app of [(req, res) => res.end("listener"), () => new Response("fetch")]) {
        const answer = await createReceiver("${origin}", app, options).send(new Request("${origin}/hooks"));
        console.log(answer.bodyExcerpt);
      }`;
    const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", script]);
    expect(stdout).toBe("listener\nfetch\n");
  });
});

describe("no interceptor of this process sees deliveries", () => {
  test("an interceptor does not see them, and connections survive its coming and going", async () => {
    const seen: string[] = [];
    const interceptor = new HttpRequestInterceptor();
    interceptor.on("request", ({ request }) => void seen.push(request.url));
    const receiver = createReceiver(origin, { listener });
    const before = await receiver.send(hook());
    interceptor.apply();
    const during = await receiver.send(hook());
    interceptor.dispose();
    const after = await receiver.send(hook());
    await receiver.close();
    expect([during, after]).toEqual([before, before]);
    expect(seen).toEqual([]);
  });

  test("a server of MSW's that fails what it does not know lets them through", async () => {
    const server = setupServer();
    server.listen({ onUnhandledFrame: "error" });
    try {
      const receiver = createReceiver(origin, { listener });
      const answer = await receiver.send(hook());
      expect(answer).toMatchObject({ kind: "answered", status: 200 });

      const port = answer.kind === "answered" ? answer.bodyExcerpt : undefined;
      expect(await loopbackReceiver().send(new Request(`http://127.0.0.1:${port}/`))).toEqual(answer);
      await receiver.close();
    } finally {
      server.close();
    }
  });
});
