import { NextResponse } from "next/server";
import { shop } from "../../shop.js";

export async function POST(request) {
  return NextResponse.json(await shop.core.join(await request.json()));
}
