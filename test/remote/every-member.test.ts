import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Simulator } from "centavo";
import { createSimulator } from "centavo";
import { connectSimulator } from "centavo/client";
import type { RemoteSimulator } from "centavo/client";
import { serve } from "centavo/server";
import { expect, expectTypeOf, test } from "vitest";
import { onlyInProcess } from "../../src/remote/only-in-process.ts";
import type { OnlyInProcess, Unavailable } from "../../src/remote/only-in-process.ts";
import { controlOperations } from "../../src/remote/operations.ts";
import type { ControlMember } from "../../src/remote/operations.ts";

/** The members that the package keeps to itself. A test below reads that they are marked. */
const internals = [
  "internals",
  "test",
  "identity",
  "documentAt",
  "isForPages",
  "baseUrlFor",
  "origins",
  "takesPages",
  "onIntercepted",
  "wasIntercepted",
  "onRefused",
  "onDropped",
  "onClose",
  "beginCall",
  "refuse",
  "another",
  "forkAt",
  "keepTokens",
  "play",
  "clock.waits",
  "clock.driver",
  "clock.driveTo",
  "clock.failsUnawaited",
] as const;

type Known = ControlMember | OnlyInProcess | (typeof internals)[number];

/** The members of a part, by name, that are neither served nor listed. */
type Missing<Part, Prefix extends string = ""> = {
  [Member in keyof Part & string]: `${Prefix}${Member}` extends Known
    ? never
    : Part[Member] extends (...given: never) => unknown
      ? `${Prefix}${Member}`
      : Part[Member] extends object
        ? Missing<Part[Member], `${Prefix}${Member}.`>
        : `${Prefix}${Member}`;
}[keyof Part & string];

test("every member of a simulator has a control route, or a reason why only its process can have it", () => {
  expectTypeOf<Missing<Simulator>>().toEqualTypeOf<never>();
});

test("a member without a route or a reason would not compile", () => {
  expectTypeOf<Missing<{ readonly clock: { jump(): void; now(): string }; readonly speed: number }>>().toEqualTypeOf<
    "clock.jump" | "speed"
  >();
});

test("only members that are marked as internal have neither", () => {
  const sources = ["simulator", "service-simulator", "connected-simulator", "../kit/engine/clock"]
    .map((name) => readFileSync(join(import.meta.dirname, `../../src/simulator/${name}.ts`), "utf8"))
    .join("\n");
  const unmarked = internals.filter((name) => {
    const member = name.replace(/^.*\./, "");
    const marked = new RegExp(
      String.raw`@internal(?:(?!\*/)[\s\S])*\*/\s+(?:(?:readonly|override|abstract|async|get) )*${member}\b`,
    );
    return !marked.test(sources);
  });
  expect(unmarked).toEqual([]);
});

test("what only a process can have is no function in the type of a remote simulator, and throws the reason", async () => {
  await using server = await serve(createSimulator());
  const remote = connectSimulator(server.url, { token: server.token });
  type Callable = (...given: never) => unknown;
  expectTypeOf(remote.connect).not.toExtend<Callable>();
  expectTypeOf(remote.connect).toEqualTypeOf<Unavailable<(typeof onlyInProcess)["connect"]>>();
  expectTypeOf(remote.clock.onMove).not.toExtend<Callable>();
  for (const name of Object.keys(onlyInProcess)) {
    const place = name.startsWith("clock.") ? remote.clock : remote;
    const call = Reflect.get(place, name.replace("clock.", "")) as () => void;
    expect(call).toThrow(`A remote simulator has no sim.${name}: `);
  }
  expect(() => (remote.connect as unknown as () => void)()).toThrow("give its address as webhookUrl");
});

test("a remote simulator has every member that the control API has", async () => {
  await using server = await serve(createSimulator());
  const remote = connectSimulator(server.url, { token: server.token });
  const members = Object.entries(controlOperations).filter(([name]) => !name.startsWith("#"));
  for (const [name, { isProperty = false }] of members) {
    const path = name.split(".");
    const last = path.pop() as string;
    const place = path.reduce<object>((part, word) => Reflect.get(part, word) as object, remote);
    expect(Object.getOwnPropertyDescriptor(place, last), name).toHaveProperty(
      isProperty ? "get" : "value",
      expect.any(Function),
    );
  }
});

test("members of a remote simulator return promises of what a simulator returns", () => {
  expectTypeOf<RemoteSimulator["seed"]>().toEqualTypeOf<Promise<string>>();
  expectTypeOf<RemoteSimulator["intents"]["get"]>().returns.toEqualTypeOf<
    Promise<ReturnType<Simulator["intents"]["get"]>>
  >();
  expectTypeOf<RemoteSimulator["customer"]["pay"]>().toEqualTypeOf<Simulator["customer"]["pay"]>();
  expectTypeOf<RemoteSimulator["journal"]["length"]>().toEqualTypeOf<Promise<number>>();
  expectTypeOf<RemoteSimulator>().not.toHaveProperty("internals");
});
