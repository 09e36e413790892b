import { cookies } from "next/headers.js";
import { NextRequest, NextResponse } from "next/server.js";

export async function POST(request) {
  const { id } = await request.json();
  (await cookies()).set("order", id);
  return NextResponse.json({ id, isNext: request instanceof NextRequest }, { status: 201 });
}
