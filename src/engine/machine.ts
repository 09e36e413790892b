import { CentavoError } from "../errors/centavo-error.ts";

/** The virtual time, in milliseconds, of the input that a machine is taking, or of the creation that it is going through. */
export function momentOf(event: object): number {
  const { at, input } = event as { at?: number; input?: { at?: number } };
  return at ?? input?.at ?? Number.NaN;
}

/**
 * The arguments of `raise` for an input that comes by itself at a moment of the machine's data. A moment that has passed means now.
 *
 * @param timer the name under which `cancel` takes it off the clock
 * @param type the input
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
      // Without a moment the delay is not a number, which the lifecycle refuses.
      delay: ({ context, event }: { context: Data; event: object }) =>
        Math.max(0, (moment(context) ?? Number.NaN) - momentOf(event)),
    },
  ] as const;
}

/**
 * Makes the function that narrows what an action or a guard is given to one of a machine's inputs.
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
        throw new CentavoError("MACHINE_DEFECT", `What a machine does on "${type}" was asked of "${event.type}".`);
      }
      return decide({ context, event: event as Extract<Input, { readonly type: Type }> });
    };
}
