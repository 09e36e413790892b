import { type NextRequest, NextResponse } from "next/server.js";
import { orders } from "../../../orders.ts";

export function GET(request: NextRequest) {
  const status = request.nextUrl.searchParams.get("status");
  const found = [...orders].filter(([, value]) => status === null || value === status).map(([id]) => id);
  return NextResponse.json({ path: request.nextUrl.pathname, found });
}

export async function POST(request: NextRequest) {
  const { id } = (await request.json()) as { readonly id: string };
  orders.set(id, "pending");
  const response = NextResponse.json({ id }, { status: 201 });
  response.cookies.set("order", id, { httpOnly: true });
  return response;
}
