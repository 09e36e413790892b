import { paymentService } from "../service/service.ts";

/** Returns a text without the secrets and card numbers in it. */
export function withoutSecrets(text: string): string {
  return paymentService.redaction.text(text);
}
