import { revalidatePath, revalidateTag, unstable_cache, updateTag } from "next/cache.js";
import { after, connection } from "next/server.js";

const how: Readonly<Record<string, () => unknown>> = {
  path: () => revalidatePath("/orders"),
  tag: () => revalidateTag("orders", "max"),
  profile: () => revalidateTag("orders", "a profile of next.config"),
  after: () => after(() => revalidateTag("orders", "max")),
  connection: () => connection(),
  cache: () => unstable_cache(async (id: string) => `order ${id}`, ["orders"], { tags: ["orders"] })("1"),
  update: () => updateTag("orders"),
};

export async function POST(request: Request): Promise<Response> {
  const result = await how[new URL(request.url).searchParams.get("how") ?? ""]?.();
  return Response.json({ result: typeof result === "string" ? result : "ok" });
}
