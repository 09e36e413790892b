import { runScenario } from "centavo/scenario";
import { describe, expect, test } from "vitest";
import { stories } from "./stories.ts";

describe.for(stories)("%s", ([, story]) => {
  test("passes, and is the same story through memory, interception and a socket", async () => {
    const memory = await runScenario(story, { way: "memory", expect });
    const intercepted = await runScenario(story, { way: "intercept", expect });
    const socket = await runScenario(story, { way: "socket", expect });
    expect([memory, intercepted, socket].map(({ error }) => error)).toEqual([undefined, undefined, undefined]);
    expect([intercepted.digest, socket.digest]).toEqual([memory.digest, memory.digest]);
  });
});
