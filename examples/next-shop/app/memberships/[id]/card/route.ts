import { changeCard, database } from "../../../../lib/shop.ts";

export async function PUT(request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const membership = database.memberships.get((await params).id);
  if (membership === undefined) return new Response(null, { status: 404 });
  const { card } = (await request.json()) as { card: string };
  return Response.json(await changeCard(membership, card));
}
