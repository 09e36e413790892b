import { checkOut } from "../../lib/shop.ts";

export async function POST(request: Request): Promise<Response> {
  const { id, customer } = (await request.json()) as { id: string; customer: object };
  return Response.json(await checkOut(id, customer), { status: 201 });
}
