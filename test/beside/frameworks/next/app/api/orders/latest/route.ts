import { NextResponse } from "next/server.js";

export function GET() {
  return NextResponse.json({ latest: true });
}
