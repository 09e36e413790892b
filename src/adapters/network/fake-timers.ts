import { CentavoError } from "../../errors/centavo-error.ts";

const microtasks = [
  { owner: process, name: "nextTick" },
  { owner: globalThis, name: "queueMicrotask" },
];

/**
 * Node's sockets and body readers run on `nextTick` and `queueMicrotask`. With these faked, every request hangs, with a
 * real server too; fake timers mark what they replace with the clock that drives it.
 *
 * @throws CentavoError `INTERCEPTION_REFUSED` naming the faked functions, instead of a hang that names nothing.
 */
export function refuseFakedMicrotasks(request: string): void {
  const faked = microtasks.filter(({ owner, name }) => "clock" in (Reflect.get(owner, name) as object));
  if (faked.length === 0) return;
  throw new CentavoError(
    "INTERCEPTION_REFUSED",
    `Centavo cannot answer ${request} while fake timers hold ${faked.map(({ name }) => name).join(" and ")}: Node itself runs requests on them, so this one would never end. ` +
      `Leave them real: jest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] }), ` +
      `sinon.useFakeTimers({ toNotFake: ["nextTick", "queueMicrotask"] }), or Vitest's vi.useFakeTimers() without "toFake".`,
  );
}
