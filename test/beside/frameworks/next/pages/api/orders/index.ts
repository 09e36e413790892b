import type { NextApiRequest, NextApiResponse } from "next";

export default function handler(_request: NextApiRequest, response: NextApiResponse): void {
  response.redirect(307, "/api/orders/1");
}
