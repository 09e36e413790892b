/** How confirm names the payment method (`intent.confirm-request`). */
export interface ConfirmForm {
  /** The field that names it: that of the REST form, that of the SDK form, or either. */
  readonly method: "either" | "paymentMethodId" | "paymentMethod";
  /** Whether a call may leave out the method that is attached already. */
  readonly attached: "optional" | "required";
}

export const usualConfirmForm: ConfirmForm = { method: "either", attached: "optional" };

/** The field by which a complaint calls the method. */
export function fieldOfMethod({ method }: ConfirmForm): "paymentMethodId" | "paymentMethod" {
  return method === "either" ? "paymentMethodId" : method;
}

/** Returns the body of confirm with the method in the field in which the service reads it. */
export function confirmBodyIn({ method }: ConfirmForm, body: unknown): unknown {
  if (method === "either" || typeof body !== "object" || body === null) return body;
  const { paymentMethodId, paymentMethod, ...rest } = body as Readonly<Record<string, unknown>>;
  const named = paymentMethodId ?? paymentMethod;
  return named === undefined ? rest : { [method]: named, ...rest };
}
