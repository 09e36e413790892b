import type { Fault } from "./schema.ts";

/** A call, charge, event or stamp on which a fault may bite, as far as faults can tell one from another. */
export interface Occasion {
  readonly route?: string | undefined;
  readonly method?: string;
  readonly path?: string;
  readonly event?: string;
  /** Every id by which it may be meant. */
  readonly resources?: readonly string[];
  readonly merchant?: string | undefined;
  /** Every name by which the payment method may be meant. */
  readonly paymentMethods?: readonly string[];
  readonly customer?: "present" | "absent";
  readonly stamp?: "webhook" | "token";
  /** Whether the call was refused, so that nothing came of it. */
  readonly refused?: boolean;
  /** How many characters the body of the answer has so far, where there is one. */
  readonly answerLength?: number;
  /** What the journal says of it. */
  readonly note: Readonly<Record<string, unknown>>;
}

/** Whether a fault is about such an occasion and has something to do there; what it does not name may be anything. */
export function concerns(fault: Fault, occasion: Occasion): boolean {
  if (fault.kind === "response.truncated" && (fault.keep ?? 0) >= (occasion.answerLength ?? 0)) return false;
  if (fault.kind === "response.lost" && occasion.refused === true) return false;
  const { route, method, path, event, resource, merchant, paymentMethod, customer, stamp } = fault as {
    readonly [Name in (typeof SELECTORS)[number]]?: string;
  };
  return (
    (route === undefined || route === occasion.route) &&
    (method === undefined || method === occasion.method) &&
    (path === undefined || matches(path, occasion.path)) &&
    (event === undefined || matches(event, occasion.event)) &&
    (resource === undefined || occasion.resources?.includes(resource) === true) &&
    (merchant === undefined || merchant === occasion.merchant) &&
    (paymentMethod === undefined || occasion.paymentMethods?.includes(paymentMethod) === true) &&
    (customer === undefined || customer === occasion.customer) &&
    (stamp === undefined || stamp === occasion.stamp)
  );
}

const SELECTORS = [
  "route",
  "method",
  "path",
  "event",
  "resource",
  "merchant",
  "paymentMethod",
  "customer",
  "stamp",
] as const;

/** Whether a text is what a pattern says; `*` stands for any text. */
export function matches(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false;
  const parts = pattern.split("*").map((part) => part.replaceAll(/[^\w]/g, String.raw`\$&`));
  return new RegExp(`^${parts.join(".*")}$`).test(text);
}

/** Whether some text is what both patterns say. */
export function overlap(left: string, right: string): boolean {
  // Row by row: which beginnings of the right pattern may say the same as the left one's so far.
  let before = Array.from({ length: right.length + 1 }, (_, end) => /^\**$/.test(right.slice(0, end)));
  for (const sign of left) {
    const now: boolean[] = [sign === "*" && before[0] === true];
    for (let end = 1; end <= right.length; end += 1) {
      const other = right[end - 1];
      const isAnyOnEither = (sign === "*" || other === "*") && (before[end] === true || now[end - 1] === true);
      now.push(isAnyOnEither || (sign === other && before[end - 1] === true));
    }
    before = now;
  }
  return before[right.length] === true;
}
