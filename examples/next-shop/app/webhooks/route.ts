import { setting } from "../../lib/setting.ts";
import { refresh } from "../../lib/shop.ts";
import { isGenuine, orderOf } from "../../lib/webhooks.ts";

export async function POST(request: Request): Promise<Response> {
  const body = await request.text();
  if (!isGenuine(request.headers.get("x-webhook-signature") ?? "", body, setting("PAY_WEBHOOK_SECRET")))
    return new Response(null, { status: 401 });
  const id = orderOf(body);
  if (id !== undefined) await refresh(id);
  return new Response(null, { status: 204 });
}
