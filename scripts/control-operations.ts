import { controlRoutes } from "../src/server/control/routes.ts";

/** Renders how the remote simulator calls the control API. */
export function controlOperations(): string {
  const lines = controlRoutes.map(({ name, method, path, takes = [], gives, query, body }) => {
    const operation = {
      method,
      path,
      takes,
      gives,
      sends: body !== undefined ? "body" : query !== undefined ? "query" : undefined,
    };
    return `  ${JSON.stringify(name)}: ${JSON.stringify(operation)},`;
  });
  return `// \`npm run docs\` writes this file from the routes of the control API.
import type { ControlOperation } from "./operation.ts";

/** How each member of a remote simulator calls the control API. */
export const controlOperations: Readonly<Record<string, ControlOperation>> = {
${lines.join("\n")}
};
`;
}
