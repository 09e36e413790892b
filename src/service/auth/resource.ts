import { paymentIntents } from "../payment-intents/resource.ts";
import { defineResource } from "../resource.ts";
import { keepTokens } from "./acts.ts";
import { Auth } from "./commands.ts";
import { Merchants } from "./merchants.ts";
import { authRoutes } from "./routes.ts";

/** Access tokens and merchants (part 5). */
export const auth = defineResource<Auth>()({
  name: "auth",
  open(ground, of) {
    const merchants = new Merchants(ground.engine);
    const intents = of(paymentIntents);
    intents.merchantName = (id) => merchants.get(id)?.name ?? id;
    return new Auth({ ...ground, merchants, intentOfClientKey: (key) => intents.byClientKey(key) });
  },
  routes: authRoutes,
  acts: { "keep-tokens": keepTokens },
  tags: { oauth: "Access tokens", merchant: "Registration, for administrators" },
  forgets: {
    "access-tokens": ({ expiring }) => expiring.accessTokens,
    "refresh-tokens": ({ expiring }) => expiring.refreshTokens,
    "ended-refresh-token-families": ({ expiring }) => expiring.endedFamilies,
  },
});
