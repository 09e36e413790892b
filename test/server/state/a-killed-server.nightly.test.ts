import { test } from "vitest";
import { KilledServer } from "./killing.ts";

test("a server that is killed 300 times under load comes back each time with all that left it, and no half of anything", async () => {
  const server = await KilledServer.withReceiver();
  for (let time = 1; time <= 300; time += 1) {
    await server.liveUntil((time * 37) % 61);
    await server.expectAllKept();
  }
});
