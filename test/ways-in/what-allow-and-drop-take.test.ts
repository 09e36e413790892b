import { intercept } from "centavo/node";
import { blockNetwork } from "centavo/no-network";
import { describe, expect, test } from "vitest";
import { echoService } from "./echo-service.ts";

const KEY = "REAL-KEY-FROM-ENV";

describe.each(["allow", "drop"] as const)("an entry of %s is refused", (option) => {
  test.each([
    ["for its wildcard of hosts", "https://*.maps.example", 'has a "*", which stands for nothing else here'],
    ["for its wildcard of paths", "https://maps.example/v1/*", 'has a "*", which stands for nothing else here'],
    ["for its query", `https://maps.example/v1?key=${KEY}`, "names more than a host and a path"],
    ["for its fragment", `https://maps.example/v1#${KEY}`, "names more than a host and a path"],
    ["for its password", `https://user:${KEY}@maps.example`, "names more than a host and a path"],
  ])("%s, and the message shows no secret", (_why, entry, problem) => {
    expect(() => intercept(echoService(), { [option]: [entry] })).toThrow(
      expect.objectContaining({
        code: "INVALID_OPTION",
        message: expect.stringMatching(
          new RegExp(`in "${option}" ${problem.replace("*", "\\*")}.*use a regular expression\\.$`),
        ) as string,
      }),
    );
    expect(() => intercept(echoService(), { [option]: [entry] })).not.toThrow(KEY);
  });
});

test("blockNetwork refuses them, too", () => {
  expect(() => blockNetwork({ allow: ["https://*.maps.example"] })).toThrow(/blockNetwork\(\): .* has a "\*"/);
});

test("the address of a WebSocket names the host that its first request goes to", async () => {
  using _ = intercept(echoService(), { drop: ["wss://push.example", "ws://push.example:8080"] });
  expect((await fetch("https://push.example/socket")).status).toBe(204);
  expect((await fetch("http://push.example:8080/")).status).toBe(204);
});
