import * as z from "zod/mini";
import { anyText } from "../../kit/engine/row-schema.ts";
import { act } from "../../kit/declaration/act.ts";
import type { Auth } from "./commands.ts";

/** Access tokens of earlier tests, which a test keeps valid. */
export const keepTokens = act({
  schema: z.strictObject({
    tokens: z.array(z.strictObject({ accessToken: anyText, merchantId: anyText, expiresAt: z.int() })),
  }),
  perform: (auth: Auth, { tokens }) => auth.keepTokens(tokens),
});
