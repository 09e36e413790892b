import { controlRoutes } from "../src/server/control/routes.ts";

/** Renders how the remote simulator calls the control API. Importing the routes would load the whole simulator into every client. */
export function controlOperations(): string {
  const operations = controlRoutes().flatMap(({ members = {}, method, path, query, body, text, data }) =>
    Object.entries(members).map(([name, { takes, gives, isProperty }]) => {
      const sends = body !== undefined ? "body" : query !== undefined ? "query" : undefined;
      const isText = text !== undefined && data === undefined ? true : undefined;
      return [name, { method, path, takes, gives, isProperty, sends, isText }] as const;
    }),
  );
  return `// \`npm run docs\` writes this file from the routes of the control API.
import type { ControlOperation } from "./operation.ts";

/** The members of a simulator that the control API has. */
export type ControlMember =
${operations.map(([name]) => `  | ${JSON.stringify(name)}`).join("\n")};

/** How each member calls the control API. */
export const controlOperations: Readonly<Record<ControlMember, ControlOperation>> = {
${operations.map(([name, operation]) => `  ${JSON.stringify(name)}: ${JSON.stringify(operation)},`).join("\n")}
};
`;
}
