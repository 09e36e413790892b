import { NextResponse } from "next/server";
import { shop } from "../../shop.js";

export async function POST(request) {
  return new NextResponse(null, { status: await shop.core.receive(request) });
}
