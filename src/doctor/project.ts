import { existsSync, readFileSync, realpathSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import * as z from "zod/mini";

const names = z.optional(z.record(z.string(), z.string()));
const manifestSchema = z.object({
  name: z.optional(z.string()),
  version: z.optional(z.string()),
  type: z.optional(z.string()),
  exports: z.optional(z.unknown()),
  engines: z.optional(z.record(z.string(), z.unknown())),
  dependencies: names,
  devDependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
  jest: z.optional(z.unknown()),
});

/** The parts of a package.json that the checks read. */
export type Manifest = z.infer<typeof manifestSchema>;

/** A package as Node finds it from some folder. */
export interface Installed {
  readonly folder: string;
  readonly version: string;
  readonly manifest: Manifest;
}

/** A copy of a package, and by which packages of the project Node comes to it. */
export interface Copy extends Installed {
  readonly through: readonly string[];
}

/** The project in a folder. Nothing of it is executed: packages are found as Node would find them, and files are read. */
export interface Project {
  readonly folder: string;
  readonly manifest: Manifest;
  /** Finds a package from the project, or from the folder of another one; undefined if it is not installed there. */
  find(name: string, from?: string): Installed | undefined;
  /** Returns all copies of a package that the project, and those of its direct dependencies that name it, come to. */
  copies(name: string): readonly Copy[];
}

/**
 * Opens a project: the nearest folder with a package.json, upwards from a folder.
 * @returns undefined when there is none
 */
export function projectIn(folder: string): Project | undefined {
  const place = nearestProject(folder);
  const manifest = place === undefined ? undefined : manifestIn(place);
  if (place === undefined || manifest === undefined) return undefined;
  const find = (name: string, from = place): Installed | undefined => findFrom(from, name);
  const direct = Object.keys({
    ...manifest.dependencies,
    ...manifest.devDependencies,
    ...manifest.optionalDependencies,
    ...manifest.peerDependencies,
  });
  const copies = (name: string): readonly Copy[] => {
    const found = new Map<string, Installed & { readonly through: string[] }>();
    // Centavo, MSW and nock are asked even where something else brings them.
    for (const issuer of new Set([undefined, ...direct, "centavo", "msw", "nock"])) {
      const by = issuer === undefined ? { folder: place, manifest } : find(issuer);
      const isNamed =
        by !== undefined && (namesPackage(by.manifest, name) || (issuer === undefined && name === "centavo"));
      const installed = isNamed && issuer !== name ? findFrom(by.folder, name) : undefined;
      if (installed === undefined) continue;
      const copy = found.get(installed.folder) ?? { ...installed, through: [] };
      found.set(installed.folder, copy);
      copy.through.push(issuer ?? "the project");
    }
    return [...found.values()];
  };
  return { folder: place, manifest, find, copies };
}

/** Whether a package says that it uses another one. Of what it does not name, Node may find a copy that others use. */
function namesPackage(manifest: Manifest, name: string): boolean {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = manifest;
  return [dependencies, devDependencies, optionalDependencies, peerDependencies].some(
    (each) => each !== undefined && Object.hasOwn(each, name),
  );
}

function nearestProject(folder: string): string | undefined {
  for (let place = folder; ; place = dirname(place)) {
    if (existsSync(join(place, "package.json"))) return place;
    if (place === dirname(place)) return undefined;
  }
}

function findFrom(folder: string, name: string): Installed | undefined {
  const require = createRequire(join(folder, "package.json"));
  const path = manifestPath(require, name);
  const manifest = path === undefined ? undefined : manifestIn(dirname(path));
  if (path === undefined || manifest?.name !== name) return undefined;
  return { folder: realpathSync(dirname(path)), version: manifest.version ?? "", manifest };
}

/** Asks Node, also for packages that do not export their package.json. */
function manifestPath(require: NodeJS.Require, name: string): string | undefined {
  try {
    return require.resolve(`${name}/package.json`);
  } catch {
    return require.resolve
      .paths(name)
      ?.map((place) => join(place, name, "package.json"))
      .find((path) => existsSync(path));
  }
}

function manifestIn(folder: string): Manifest | undefined {
  try {
    const read = manifestSchema.safeParse(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")));
    return read.success ? read.data : undefined;
  } catch {
    return undefined;
  }
}
