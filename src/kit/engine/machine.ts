import { CentavoError } from "../base/errors/centavo-error.ts";

/** Returns the virtual time of a machine's input or creation, in milliseconds since 1970. */
export function momentOf(event: object): number {
  const { at, input } = event as { at?: number; input?: { at?: number } };
  return at ?? input?.at ?? Number.NaN;
}

/**
 * Returns the arguments of `raise` for an input that the clock gives at a moment in the machine's data. A past moment means now.
 *
 * @param timer the name under which `cancel` takes it off the clock
 * @param type the type of the input
 * @param moment reads the moment from the data, in milliseconds since 1970
 * @example
 * const { raise, cancel } = setup({ … });
 * const waiting = { entry: raise(...deadline("expiry", "expire", ({ expiresAt }: Data) => expiresAt)), exit: cancel("expiry") };
 */
export function deadline<const Type extends string, Data>(
  timer: string,
  type: Type,
  moment: (data: Data) => number | undefined,
) {
  return [
    ({ event }: { event: object }) => ({ type, at: momentOf(event) }),
    {
      id: timer,
      // Without a moment the delay is NaN, which the lifecycle refuses.
      delay: ({ context, event }: { context: Data; event: object }) =>
        Math.max(0, (moment(context) ?? Number.NaN) - momentOf(event)),
    },
  ] as const;
}

/**
 * Returns a function that narrows the arguments of an action or a guard to one input of a machine.
 *
 * @example
 * const on = inputsOf<Data, Input>();
 * const keepMethod = assign(on("attach_method", ({ event }) => ({ method: event.method })));
 */
export function inputsOf<Data, Input extends { readonly type: string }>() {
  return <const Type extends Input["type"], Result>(
    type: Type,
    decide: (given: { readonly context: Data; readonly event: Extract<Input, { readonly type: Type }> }) => Result,
  ) =>
    ({ context, event }: { readonly context: Data; readonly event: Input }): Result => {
      if (event.type !== type) {
        throw new CentavoError("MACHINE_DEFECT", `An action or guard for "${type}" got the input "${event.type}".`);
      }
      return decide({ context, event: event as Extract<Input, { readonly type: Type }> });
    };
}
