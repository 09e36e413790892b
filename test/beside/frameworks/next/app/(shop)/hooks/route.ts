import { type NextRequest, NextResponse } from "next/server.js";
import { orders } from "../../../orders.ts";

export async function POST(request: NextRequest) {
  const { externalId, status } = JSON.parse(await request.text()) as {
    readonly externalId: string;
    readonly status: string;
  };
  if (!request.headers.has("x-webhook-signature")) return NextResponse.json({ problem: "unsigned" }, { status: 401 });
  orders.set(externalId, status);
  return NextResponse.json({ received: true });
}
