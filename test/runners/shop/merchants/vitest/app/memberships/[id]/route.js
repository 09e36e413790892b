import { NextResponse } from "next/server";
import { shop } from "../../../shop.js";

export async function GET(_request, { params }) {
  const { id } = await params;
  return NextResponse.json(shop.core.membership(id));
}
