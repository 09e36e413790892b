import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { Application, Converter } from "typedoc";
import type { DeclarationReflection } from "typedoc";
import { entries, outputName } from "../scripts/entries.ts";
import { apiFolder, pagesFolder, root } from "./contents.ts";

/** The folder of one file for each entry of the package, which only names it and gives what its declarations export. */
const folder = join(root, ".cache/site/entries");

/** Where typedoc puts the types that an entry names and does not export. */
const TYPES_BEHIND = "types-behind";

/**
 * Writes the reference of every entry as Markdown, from the docstrings of the built declarations.
 *
 * @throws {Error} when typedoc finds anything that it cannot write
 */
export async function writeApi(): Promise<void> {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const files = entries.map(({ name, source }) => {
    const file = join(folder, `${name.replace("/", "-")}.ts`);
    const declarations = relative(folder, join(root, "dist/esm", `${outputName(source)}.js`));
    writeFileSync(file, `/** @module ${name.replace("/", "-")} */\nexport * from "${declarations}";\n`);
    return file;
  });
  const tsconfig = join(folder, "tsconfig.json");
  const compilerOptions = {
    target: "es2024",
    lib: ["es2024", "dom", "dom.iterable", "esnext.disposable"],
    module: "nodenext",
    strict: true,
    skipLibCheck: true,
    noEmit: true,
    types: ["node"],
  };
  writeFileSync(tsconfig, JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const application = await Application.bootstrapWithPlugins({
    name: "API",
    plugin: ["typedoc-plugin-markdown", "typedoc-plugin-missing-exports"],
    internalModule: TYPES_BEHIND,
    entryPoints: files,
    tsconfig,
    outputs: [{ name: "markdown", path: join(pagesFolder, apiFolder) }],
    readme: "none",
    disableSources: true,
    excludeExternals: true,
    excludeInternal: true,
    excludePrivate: true,
    outputFileStrategy: "modules",
    entryFileName: "index",
    hideBreadcrumbs: true,
    hidePageHeader: true,
    pageTitleTemplates: {
      module: ({ name }: { name: string }) =>
        name === TYPES_BEHIND ? "The types behind" : `\`${name.replace("-", "/")}\``,
    },
    parametersFormat: "table",
    interfacePropertiesFormat: "table",
    classPropertiesFormat: "table",
    propertyMembersFormat: "table",
    typeDeclarationFormat: "table",
    enumMembersFormat: "table",
    sanitizeComments: true,
    groupOrder: ["Functions", "Variables", "Interfaces", "Type Aliases", "*"],
    logLevel: "Warn",
  } as Parameters<typeof Application.bootstrapWithPlugins>[0]);
  // After typedoc has made the groups.
  application.converter.on(
    Converter.EVENT_RESOLVE_END,
    ({ project }) => project.children?.forEach(putTypesOfCallsFirst),
    -1000,
  );
  const project = await application.convert();
  if (project === undefined) throw new Error("typedoc could not read the declarations of the build.");
  await application.generateOutputs(project);
  if (application.logger.hasErrors()) throw new Error("typedoc could not write the reference.");
}

/** Puts what the functions of an entry take and give before the types that those name in turn. */
function putTypesOfCallsFirst(entry: DeclarationReflection): void {
  const calls = (entry.children ?? []).flatMap(({ signatures = [] }) => signatures);
  const types = calls.flatMap(({ parameters = [], type }) =>
    parameters.map((parameter) => parameter.type).concat(type),
  );
  const named = new Set(types.flatMap((type) => type?.toString().match(/\w+/g) ?? []));
  for (const { children } of entry.groups ?? [])
    children.sort((a, b) => Number(named.has(b.name)) - Number(named.has(a.name)));
}
