import { setupServer } from "msw/node";
import { expect, test } from "vitest";

const server = setupServer();

test("is refused while a mock intercepts, and starts once it does not", async () => {
  server.listen();
  await expect(import("centavo/no-network")).rejects.toMatchObject({
    code: "INTERCEPTION_CONFLICT",
    message: expect.stringContaining("Import centavo/no-network before it, first in your set-up files") as string,
  });
  server.close();
  const { blockNetwork } = await import("../../src/adapters/network/block-network.ts");
  using _ = blockNetwork();
  server.listen({ onUnhandledFrame: "bypass" });
  server.close();
});
