import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "@typescript/typescript6";
import { paymentService } from "../src/service/service.ts";
import { root } from "./suites.ts";

/** A call of the typed client, as its route declares it. */
interface ClientCall {
  readonly group: string;
  readonly name: string;
  readonly method: string;
  /** The name of the route. */
  readonly route: string;
  readonly path: string;
  readonly credential: string;
  /** The documentation of the call, with its marks. */
  readonly comment: string;
  /** The schemas that the route names, by the member of the route. */
  readonly schemas: Readonly<Record<string, string>>;
}

/** Renders the types of the calls that the routes declare. */
export function clientCalls(): string {
  const modules = paymentService.resources.map(({ name, routes }) => {
    const calls = routes.length === 0 ? [] : callsIn(name);
    const types = calls.flatMap(({ schemas }) => [schemas["body"], schemas["query"], schemas["data"]].map(typeOf));
    return { name, calls, types: [...new Set(types.filter((type) => type !== ""))].toSorted() };
  });
  const groups = Map.groupBy(
    modules.flatMap(({ calls }) => calls),
    ({ group }) => group,
  );
  const known = new Set<string>();
  const imports = modules.flatMap(({ name, types }) => {
    const own = types.filter((type) => !known.has(type));
    for (const type of own) known.add(type);
    return own.length === 0 ? [] : [[name, own.join(", ")] as const];
  });
  return `// \`npm run docs\` writes this file from the routes.
${imports.map(([name, types]) => `import type { ${types} } from "../service/schemas/${name}.ts";`).join("\n")}
import type { CallOptions } from "./service-call.ts";

${imports.map(([name, types]) => `export type { ${types} } from "../service/schemas/${name}.ts";`).join("\n")}

${[...groups].map(([group, calls]) => interfaceOf(group, calls)).join("\n\n")}

/** A merchant's view of the service. Each call returns the envelope's \`data\` or throws a \`ServiceError\`. */
export interface Client {
${[...groups.keys()].map((group) => `  readonly ${group}: ${interfaceName(group)};`).join("\n")}
}
`;
}

/** Renders how each call is made. Importing the routes would load the service into every script. */
export function clientOperations(): string {
  const calls = paymentService.resources.flatMap(({ name, routes }) => (routes.length === 0 ? [] : callsIn(name)));
  const groups = [...Map.groupBy(calls, ({ group }) => group)].map(
    ([group, own]) => `  ${group}: {\n${own.map(operationOf).join("\n")}\n  },`,
  );
  return `// \`npm run docs\` writes this file from the routes.
import type { Operation } from "./service-call.ts";

/** How each call is made, by its group and name. */
export const operations: Readonly<Record<string, Readonly<Record<string, Operation>>>> = {
${groups.join("\n")}
};
`;
}

/** Reads the calls in the routes of a resource. Only the source has their comments and the names of their schemas. */
function callsIn(resource: string): ClientCall[] {
  const path = join(root, `src/service/${resource}/routes.ts`);
  const source = ts.createSourceFile(path, readFileSync(path, "utf8"), ts.ScriptTarget.Latest, true);
  const calls: ClientCall[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isObjectLiteralExpression(node)) {
      const call = callOf(node, source);
      if (call !== undefined) calls.push(call);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return calls;
}

function callOf(route: ts.ObjectLiteralExpression, source: ts.SourceFile): ClientCall | undefined {
  const members = new Map(
    route.properties.filter(ts.isPropertyAssignment).map((member) => [member.name.getText(source), member] as const),
  );
  const textOf = (name: string): string => {
    const value = members.get(name)?.initializer;
    return value === undefined ? "" : ts.isStringLiteral(value) ? value.text : value.getText(source);
  };
  const client = members.get("client");
  if (client === undefined) return undefined;
  const [group = "", name = ""] = textOf("client").split(".");
  const comment = ts.getJSDocCommentsAndTags(client).map((doc) => doc.getText(source));
  return {
    group,
    name,
    route: textOf("name"),
    method: textOf("method"),
    path: pathOf(textOf("name")),
    credential: textOf("credential").replace("-or-client-key", ""),
    comment: comment.join("\n"),
    schemas: { body: textOf("body"), query: textOf("query"), data: textOf("data") },
  };
}

/** The path of a route, which its source has by name. */
function pathOf(route: string): string {
  return paymentService.routers.routes.find((mounted) => mounted.route.name === route)?.route.path ?? "";
}

function interfaceOf(group: string, calls: readonly ClientCall[]): string {
  const methods = calls.map(({ name, path, comment, schemas }) => {
    const given = [
      ...Array.from(path.matchAll(/\{(\w+)\}/g), ([, parameter]) => `${parameter}: string`),
      ...(schemas["body"] === "" ? [] : [`body: ${typeOf(schemas["body"])}`]),
      ...(schemas["query"] === "" ? [] : [`query?: ${typeOf(schemas["query"])}`]),
      "options?: CallOptions",
    ];
    return `${comment}\n  ${name}(${given.join(", ")}): Promise<${typeOf(schemas["data"])}>;`;
  });
  return `/** Calls of \`client.${group}\`. */\nexport interface ${interfaceName(group)} {\n  ${methods.join("\n  ")}\n}`;
}

function operationOf({ name, route, method, path, credential, schemas }: ClientCall): string {
  const takes = ["body", "query"].filter((member) => schemas[member] !== "");
  const given = [...(path.includes("{") ? ["parameter"] : []), ...takes];
  return `    ${name}: { route: "${route}", method: "${method}", path: "${path}", credential: "${credential}", takes: ${JSON.stringify(given)} },`;
}

/** The type that a schema of a resource has beside it, by the same name. */
function typeOf(schema = ""): string {
  return schema.replace(/^./, (first) => first.toUpperCase());
}

/** `plans` gives `PlanCalls`. */
function interfaceName(group: string): string {
  return `${typeOf(group).replace(/s$/, "")}Calls`;
}
