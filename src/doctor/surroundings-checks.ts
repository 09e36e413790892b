import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { dirname, join } from "node:path";
import type { Finding } from "./finding.ts";
import { right, unknown, wrong } from "./finding.ts";
import type { Project } from "./project.ts";

const ANSWERS_WITHIN = 2000;

/** Says how the packages of a project lie, and whether this process can find them. */
export function checkLayout(project: Project): Finding {
  const pnp = above(project.folder, ".pnp.cjs");
  if (pnp !== undefined)
    return process.versions["pnp"] === undefined
      ? unknown(
          "layout",
          "The project uses Yarn's Plug'n'Play, and this Node does not, so nothing is known of its packages.",
          "Call yarn centavo doctor",
        )
      : right("layout", "Packages are found through Yarn's Plug'n'Play.");
  const installed = above(project.folder, "node_modules");
  if (installed === undefined)
    return wrong("layout", "There is no node_modules here or above.", "The packages are not installed.", "npm install");
  return right(
    "layout",
    existsSync(join(installed, ".pnpm"))
      ? "Packages are installed by pnpm."
      : "Packages are installed in node_modules.",
  );
}

/** Says whether the port of `centavo serve` is free, and if it is not, whether a server of Centavo has it. */
export async function checkPort(port: number): Promise<Finding> {
  const server = createServer().listen(port, "127.0.0.1");
  const problem = await once(server, "listening").then(
    () => undefined,
    (error: NodeJS.ErrnoException) => error,
  );
  server.close();
  if (problem === undefined) return right("port", `Port ${port} is free for centavo serve.`);
  if (problem.code !== "EADDRINUSE")
    return wrong(
      "port",
      `Port ${port} cannot be listened on: ${problem.message}.`,
      "The system does not let this user take it.",
      "Choose another: centavo serve --port 0 takes any that is free.",
    );
  return (await isCentavo(port))
    ? unknown(
        "port",
        `A server of Centavo already answers at port ${port}.`,
        "If it is one that was left behind, stop it. Another takes any free port: centavo serve --port 0",
      )
    : wrong(
        "port",
        `Another program listens on port ${port}.`,
        "centavo serve cannot start there, and a shop that calls this port reaches that program.",
        "Stop it, or choose another port: centavo serve --port 0",
      );
}

async function isCentavo(port: number): Promise<boolean> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}/_centavo/health`, {
      signal: AbortSignal.timeout(ANSWERS_WITHIN),
    });
    return answer.status === 200 && (await answer.text()).includes('"status"');
  } catch {
    return false;
  }
}

function above(folder: string, name: string): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, name))) return join(place, name);
    if (place === dirname(place)) return undefined;
  }
}
