import { createSimulator } from "centavo";
import { nextApp } from "centavo/testing";
import { afterEach, describe, expect, test, vi } from "vitest";
import { ran } from "../frameworks/next/after.ts";

const sim = createSimulator();
sim.connect("https://shop.example", nextApp("test/beside/frameworks/next/app", { load: (file) => import(file) }));

afterEach(() => {
  ran.length = 0;
  vi.restoreAllMocks();
});

async function begin(name: string): Promise<unknown> {
  const init = { method: "POST", body: name, headers: { "x-trace": "t1", cookie: "sid=ana" } };
  return (await sim.visit("/api/after", init)).json();
}

describe("after()", () => {
  test("runs once the handler has answered, with its headers and cookies", async () => {
    expect(await begin("a")).toEqual([]);
    await vi.waitFor(() => expect(ran).toEqual(["a promise", "a first", "a t1 ana", "a nested"]));
  });

  test("keeps requests at once apart", async () => {
    await Promise.all(["a", "b", "c"].map(begin));
    await vi.waitFor(() => expect(ran).toHaveLength(12));
    expect(ran.filter((each) => each.startsWith("b"))).toEqual(["b promise", "b first", "b t1 ana", "b nested"]);
  });

  test("that throws is reported as Next does, and breaks no answer", async () => {
    const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
    expect(await begin("failing")).toEqual([]);
    await vi.waitFor(() => expect(ran).toContain("failing nested"));
    expect(String(reported.mock.calls[0]?.[1])).toContain("the mail server is down");
  });
});

describe("Next's cache keeps nothing", () => {
  test.for(["path", "tag", "profile", "after", "connection"])("so that %s has nothing to do", async (how) => {
    const reported = vi.spyOn(console, "error").mockImplementation(() => undefined);
    const answer = await sim.visit(`/api/revalidate?how=${how}`, { method: "POST" });
    expect(await answer.json()).toEqual({ result: "ok" });
    expect(reported).not.toHaveBeenCalled();
  });

  test("so that unstable_cache computes anew", async () => {
    const answer = await sim.visit("/api/revalidate?how=cache", { method: "POST" });
    expect(await answer.json()).toEqual({ result: "order 1" });
  });

  test("and what Next refuses in a route handler is refused in Next's words", async () => {
    await expect(sim.visit("/api/revalidate?how=update", { method: "POST" })).rejects.toThrow(
      "updateTag can only be called from within a Server Action",
    );
  });
});
