import { join, plans } from "../../lib/shop.ts";

export async function POST(request: Request): Promise<Response> {
  const { id, plan, card, customer } = (await request.json()) as Record<"id" | "plan" | "card", string> & {
    customer: object;
  };
  if (!Object.hasOwn(plans, plan)) return Response.json({ problem: "We do not sell this plan" }, { status: 400 });
  return Response.json(await join(id, plan, customer, card), { status: 201 });
}
