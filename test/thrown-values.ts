/** Values that code may throw and that nobody can read: none of them becomes text without throwing, or says anything when it does. */
export const unreadableValues: readonly (readonly [what: string, make: () => unknown])[] = [
  ["an object without a prototype", () => Object.create(null) as unknown],
  ["an object whose toString throws", () => ({ toString: refuse })],
  ["an object that becomes another object", () => ({ [Symbol.toPrimitive]: () => ({}) })],
  ["a class of a hostile primitive", () => new HostilePrimitive()],
  ["a revoked proxy", revokedProxy],
  ["an error whose message throws", () => Object.defineProperty(new Error("hidden"), "message", { get: refuse })],
  [
    "an error whose message is an object",
    () => Object.assign(new Error("hidden"), { message: Object.create(null) as unknown }),
  ],
  [
    "an error whose name, stack and cause throw",
    () =>
      Object.defineProperties(new Error("hidden"), {
        name: { get: refuse },
        stack: { get: refuse },
        cause: { get: refuse },
      }),
  ],
];

class HostilePrimitive {
  [Symbol.toPrimitive](): string {
    return refuse();
  }
}

function refuse(): never {
  throw Object.create(null);
}

function revokedProxy(): unknown {
  const { proxy, revoke } = Proxy.revocable(new Error("hidden"), {});
  revoke();
  return proxy;
}
