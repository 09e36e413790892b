import { refreshAll } from "../../../lib/shop.ts";

export async function POST(): Promise<Response> {
  await refreshAll();
  return new Response(null, { status: 204 });
}
