import * as z from "zod/mini";
import { anyText, shapeOf, textIfAny } from "../../kit/engine/row-schema.ts";
import type { PaymentMethodKind } from "../test-methods.ts";
import { amount, storedMoment } from "../fields.ts";
import { transactionStatus } from "../schemas/transactions.ts";
import type { TransactionStatus } from "../schemas/transactions.ts";

/** A stored transaction: the fields that lists filter by, and the id of its resource. */
export interface TransactionEntry {
  readonly id: string;
  readonly merchantId: string;
  readonly resource: "payment_intent" | "checkout";
  readonly resourceId: string;
  /** Milliseconds since 1970. */
  readonly createdAt: number;
  /** Centavos. */
  readonly amount: number;
  readonly status: TransactionStatus;
  readonly externalId?: string;
  readonly kind?: PaymentMethodKind;
}

/** An entry in a snapshot. */
export const transactionEntry = shapeOf<TransactionEntry>()(() => ({
  id: anyText,
  merchantId: anyText,
  resource: z.enum(["payment_intent", "checkout"]),
  resourceId: anyText,
  createdAt: storedMoment,
  amount,
  status: transactionStatus,
  externalId: textIfAny,
  kind: z.optional(z.enum(["card", "gcash", "grab_pay"])),
}));
