import { cookies, headers } from "next/headers.js";
import { after } from "next/server.js";
import { ran } from "../../../after.ts";

export async function POST(request: Request): Promise<Response> {
  const name = await request.text();
  after(() => void ran.push(`${name} first`));
  after(async () => {
    ran.push(`${name} ${(await headers()).get("x-trace")} ${(await cookies()).get("sid")?.value}`);
    after(() => void ran.push(`${name} nested`));
  });
  after(Promise.resolve().then(() => ran.push(`${name} promise`)));
  if (name === "failing")
    after(() => {
      throw new Error("the mail server is down");
    });
  return Response.json(ran.filter((each) => each.startsWith(name)));
}
