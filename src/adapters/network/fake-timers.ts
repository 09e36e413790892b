import { CentavoError } from "../../kit/base/errors/centavo-error.ts";

const microtasks = [
  { owner: process, name: "nextTick" },
  { owner: globalThis, name: "queueMicrotask" },
];

/**
 * Throws while fake timers replace `nextTick` or `queueMicrotask`. Node's sockets and body readers run on them, so every request would
 * hang, even to a real server. Fake timers mark each replaced function with a property `clock`.
 *
 * @throws {CentavoError} `INTERCEPTION_REFUSED` naming the faked functions
 */
export function refuseFakedMicrotasks(request: string): void {
  const faked = microtasks.filter(({ owner, name }) => "clock" in (Reflect.get(owner, name) as object));
  if (faked.length === 0) return;
  throw new CentavoError(
    "INTERCEPTION_REFUSED",
    `Centavo cannot answer ${request} while fake timers replace ${faked.map(({ name }) => name).join(" and ")}: Node itself needs them to run requests, so this one would never end. ` +
      `Leave them real: jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] }), ` +
      `sinon.useFakeTimers({ toNotFake: ["nextTick", "queueMicrotask"] }), or Vitest's vi.useFakeTimers() without "toFake".`,
  );
}
