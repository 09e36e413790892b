import type { DeclaredSecrets } from "../kit/base/redaction/redaction.ts";

/** The secrets that the service gives out, and the fields that merchants send them in. Session tokens stand at their routes. */
export const secrets: DeclaredSecrets = {
  shapes: {
    csec_: /csec_fake_[\w+/=-]{8,}/,
    ak_: /ak_fake_[\w+/=-]{8,}/,
    rt_: /rt_fake_[\w+/=-]{8,}/,
    whsec_: /whsec_[\w+/=-]{8,}/,
    ck_: /ck_fake_[\w+/=-]{8,}/,
    // `ci_fake_` in base64, which is how the value of a Basic header begins.
    "": /Y2lfZmFrZV[\w+/=-]+/,
  },
  fields: ["clientKey", "adminKey", "x-admin-key", "webhookSecret"],
  cardFields: ["paymentMethodId", "paymentMethod", "method"],
};
