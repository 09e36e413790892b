import { type NextRequest, NextResponse } from "next/server.js";
import { orders } from "../../../../orders.ts";

export async function GET(request: NextRequest, { params }: { readonly params: Promise<{ readonly id: string }> }) {
  const { id } = await params;
  const isOwn = request.cookies.get("order")?.value === id;
  return NextResponse.json({ id, status: orders.get(id) ?? "unknown", isOwn });
}

export function DELETE() {
  return new Response(null, { status: 204 });
}
