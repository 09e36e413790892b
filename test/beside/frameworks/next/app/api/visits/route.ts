import { cookies, headers } from "next/headers.js";
import { NextResponse } from "next/server.js";

export async function GET() {
  const given = await cookies();
  const name = given.get("name")?.value ?? "";
  const trace = (await headers()).get("x-trace");
  (await cookies()).set("seen", name);
  return NextResponse.json({ name, trace });
}
