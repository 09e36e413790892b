import { cookies } from "next/headers";
import { NextRequest, NextResponse } from "next/server";

export async function POST(request) {
  const { id } = await request.json();
  (await cookies()).set("order", id);
  return NextResponse.json({ id, isNext: request instanceof NextRequest }, { status: 201 });
}
