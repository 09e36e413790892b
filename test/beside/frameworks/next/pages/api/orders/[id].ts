import type { NextApiRequest, NextApiResponse } from "next";

export default function handler(request: NextApiRequest, response: NextApiResponse): void {
  if (request.method === "DELETE") throw new Error("no such order");
  response.status(request.method === "POST" ? 201 : 200).json({
    query: request.query,
    body: request.body as unknown,
    cookies: request.cookies,
  });
}
