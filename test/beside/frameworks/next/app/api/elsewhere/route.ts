import { cookies } from "next/headers.js";
import { notFound, permanentRedirect, redirect } from "next/navigation.js";
import { type NextRequest, NextResponse } from "next/server.js";

export async function GET(request: NextRequest) {
  const to = request.nextUrl.searchParams.get("to");
  if (to === "nowhere") notFound();
  if (to === "orders") (await cookies()).set("came", "from-elsewhere");
  if (to === "orders") redirect("/api/orders?status=a;b");
  if (to === "home") permanentRedirect("/");
  return NextResponse.redirect(new URL("/api/orders", request.url));
}
