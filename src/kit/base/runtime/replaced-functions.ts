/** A function of the process, whatever it takes. */
export type AnyFunction = (this: unknown, ...given: never[]) => unknown;

interface Replacement {
  readonly owner: object;
  readonly name: string;
  readonly original: unknown;
  readonly standIn: unknown;
}

/** Replaces functions of the process for a while. */
export class ReplacedFunctions {
  readonly #replacements: Replacement[] = [];

  /**
   * @param owner the object or module that has the function
   * @param make returns what stands in for it
   */
  replace(owner: object, name: string, make: (original: AnyFunction) => AnyFunction): void {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== "function") return;
    const standIn = make(original as AnyFunction);
    Object.defineProperty(standIn, "name", { value: name });
    Reflect.set(owner, name, standIn);
    this.#replacements.push({ owner, name, original, standIn });
  }

  /** Updates modules that import a function of Node by its name, so that they see the replacement, or the original again. */
  tellModules(): void {
    globalThis.process.getBuiltinModule("node:module").syncBuiltinESMExports();
  }

  /** Puts everything back, except what someone else has replaced in the meantime. */
  restore(): void {
    for (const { owner, name, original, standIn } of this.#replacements.splice(0).toReversed())
      if (Reflect.get(owner, name) === standIn) Reflect.set(owner, name, original);
    this.tellModules();
  }
}

/** The modules of Node that have timers. */
export function timerModules() {
  const { process } = globalThis;
  return {
    timers: process.getBuiltinModule("node:timers"),
    promises: process.getBuiltinModule("node:timers/promises"),
  };
}

/** What `promisify` of `node:util` looks for in a function that it makes a promise of. */
export const promisified = Symbol.for("nodejs.util.promisify.custom");
