import type { NextApiRequest, NextApiResponse } from "next";

export default function handler({ query }: NextApiRequest, response: NextApiResponse): void {
  response.send(query["path"]);
}
