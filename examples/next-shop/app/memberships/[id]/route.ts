import { refresh } from "../../../lib/shop.ts";

/** Customers come back here, too. */
export async function GET(_request: Request, { params }: { params: Promise<{ id: string }> }): Promise<Response> {
  const found = await refresh((await params).id);
  return found === undefined ? new Response(null, { status: 404 }) : Response.json(found);
}
