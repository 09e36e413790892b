import { setting } from "../../lib/setting.ts";
import { refresh } from "../../lib/shop.ts";
import { isGenuine } from "../../lib/webhook-signature.ts";

/** What the shop reads of an event: of a checkout, or of anything else. */
interface PaymentEvent {
  readonly externalId?: string;
  readonly data?: { readonly attributes: { readonly externalId?: string } };
}

export async function POST(request: Request): Promise<Response> {
  const body = await request.text();
  if (!isGenuine(request.headers.get("x-webhook-signature") ?? "", body, setting("PAY_WEBHOOK_SECRET")))
    return new Response(null, { status: 401 });
  const { externalId, data } = JSON.parse(body) as PaymentEvent;
  await refresh(externalId ?? data?.attributes.externalId ?? "");
  return new Response(null, { status: 204 });
}
