import { asLiteral } from "../../../../kit/base/errors/literal.ts";

/** A fault as plain data. */
export type Fault = Readonly<Record<string, unknown>> & { readonly kind: string };

/** Returns the line of a test that plans a fault. */
export function lineOfCode(fault: Fault): string {
  return `sim.faults.add(${asLiteral(fault)});`;
}

/** Reads what somebody typed into a field: text if the field takes text, and otherwise JSON, or text when it is not JSON. */
export function valueOf(typed: string, isText = false): unknown {
  if (isText) return typed;
  try {
    return JSON.parse(typed) as unknown;
  } catch {
    return typed;
  }
}
