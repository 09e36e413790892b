import { paymentService } from "../service/service.ts";

/** Removes secrets and card numbers from a text. */
export function withoutSecrets(text: string): string {
  return paymentService.redaction.text(text);
}
