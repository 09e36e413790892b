/** A function of the process, whatever it takes. */
export type AnyFunction = (this: unknown, ...given: never[]) => unknown;

interface Replacement {
  readonly owner: object;
  readonly name: string;
  readonly original: unknown;
  readonly standIn: unknown;
}

const OF_EVERY_FUNCTION: ReadonlySet<PropertyKey> = new Set(["length", "name", "prototype"]);

/**
 * Gives a function that stands in for another one every own property of the original, such as its name and the marks of other tools. What
 * the stand-in has of its own stays.
 */
export function likeOriginal<StandIn extends object>(standIn: StandIn, original: object): StandIn {
  for (const key of Reflect.ownKeys(original)) {
    const property = Object.getOwnPropertyDescriptor(original, key) as PropertyDescriptor;
    if (!Object.hasOwn(standIn, key) || OF_EVERY_FUNCTION.has(key)) Object.defineProperty(standIn, key, property);
  }
  return standIn;
}

/** Replaces functions of the process for a while. */
export class ReplacedFunctions {
  readonly #replacements: Replacement[] = [];
  /** By original, because two owners may share one. */
  readonly #standIns = new Map<unknown, AnyFunction>();
  #haveModulesHeard = false;

  /**
   * @param owner the object or module that has the function
   * @param make returns what stands in for it
   */
  replace(owner: object, name: string, make: (original: AnyFunction) => AnyFunction): void {
    const original: unknown = Reflect.get(owner, name);
    if (typeof original !== "function") return;
    const standIn = this.#standIns.get(original) ?? likeOriginal(make(original as AnyFunction), original);
    this.#standIns.set(original, standIn);
    Reflect.set(owner, name, standIn);
    this.#replacements.push({ owner, name, original, standIn });
  }

  /** Updates modules that import a function of Node by its name, so that they see the replacement, or the original again. */
  tellModules(): void {
    this.#haveModulesHeard = true;
    globalThis.process.getBuiltinModule("node:module").syncBuiltinESMExports();
  }

  /** Puts everything back, except what someone else has replaced in the meantime, and tells the modules if they were told before. */
  restore(): void {
    for (const { owner, name, original, standIn } of this.#replacements.splice(0).toReversed())
      if (Reflect.get(owner, name) === standIn) Reflect.set(owner, name, original);
    if (this.#haveModulesHeard) this.tellModules();
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
