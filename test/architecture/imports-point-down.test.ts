import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import ts from "@typescript/typescript6";
import { entries } from "../../scripts/entries.ts";
import { paymentService } from "../../src/service/service.ts";
import { importedSources, parse, productSources } from "./source-tree.ts";

/** The ways into the package: files at the top of `src` that hold exports alone. */
const doors = entries.map(({ source }) => source.replace("src/", ""));

/**
 * The house, top floor first. A file imports from its own room and from the floors below. The rooms of `service` lie between the list of
 * its resources above and the words that they share below.
 */
const floors: readonly (readonly string[])[] = [
  ["doors"],
  ["cli"],
  ["shake"],
  ["calibrate", "exam", "playwright"],
  ["scenario", "testing"],
  ["remote", "server"],
  ["doctor", "fixtures", "inspected", "merchant", "report", "traffic", "troubles"],
  ["adapters"],
  ["simulator"],
  ["openapi"],
  ["client"],
  ["service/verify-webhook.ts"],
  ["service/names.ts"],
  ["service/service.ts"],
  ["service/openapi-under-assumptions.ts"],
  ["service/wire/openapi.ts"],
  ["service/faults.ts", "service/openapi.ts", "service/rerouting.ts"],
  // A resource uses those that stand before it in the list.
  ...paymentService.resources.map(({ name }) => [`service/${name}`]).toReversed(),
  ["service"],
  ["kit/declaration"],
  ["kit/http", "kit/webhooks"],
  ["kit/assumptions", "kit/faults", "kit/receivers"],
  ["kit/engine"],
  ["kit/base/runtime"],
  ["kit/base/redaction"],
  ["kit/base/errors"],
];

const sources = productSources();
const known = floors.flat();

describe("every file of the product", () => {
  test("stands in a folder that has its place, or is a door", () => {
    const placeless = sources.filter(({ path }) => !known.includes(roomOf(path)));
    expect(placeless.map(({ path }) => path)).toEqual([]);
  });

  test("imports downwards", () => {
    const upwards = sources.flatMap((source) =>
      importedSources(source)
        .filter((target) => !mayImport(roomOf(source.path), roomOf(target)))
        .map((target) => `${source.path} → ${target}`),
    );
    expect(upwards).toEqual([]);
  });

  test("has one job, which takes at most 300 lines", () => {
    const long = sources.filter(({ tree }) => tree.getLineAndCharacterOfPosition(tree.end).line > 300);
    expect(long.map(({ path }) => path)).toEqual([]);
  });

  test("at the top holds only exports", () => {
    const others = sources
      .filter(({ path }) => !path.includes("/"))
      .filter(({ tree }) => !tree.statements.every((statement) => ts.isExportDeclaration(statement)));
    expect(others.map(({ path }) => path)).toEqual([]);
  });

  test("at the top is the source of an entry", () => {
    const atTheTop = sources.map(({ path }) => path).filter((path) => !path.includes("/"));
    expect(atTheTop).toEqual(doors.toSorted());
  });

  test("stands in a folder that the architecture page draws", () => {
    const page = readFileSync(new URL("../../docs/decisions/architecture.md", import.meta.url), "utf8");
    // It draws the resources as one.
    const rooms = known.filter((room) => room !== "doors" && !room.startsWith("service/"));
    expect(rooms.filter((room) => !new RegExp(`${room.replace(/^.*\//, "")}/\\s`).test(page))).toEqual([]);
  });

  test("stands in a house of at most eleven floors: the longest chain of imports between its folders", () => {
    const chain = longestChain("doors", importsBetweenFolders());
    expect(chain.length, chain.join(" → ")).toBeLessThanOrEqual(11);
  });

  test("but the fixtures leaves the fixtures of resources alone, so that the core does not load them", () => {
    const loading = sources.flatMap((source) => {
      const loads = importedSources(source).some((target) => /^service\/.+\/fixture\.ts$/.test(target));
      return loads && !/^fixtures\/|\/fixture\.ts$/.test(source.path) ? [source.path] : [];
    });
    expect(loading).toEqual([]);
  });

  test.for([
    ['export { htmlReport } from "../report/html-report.ts";', "report/html-report.ts"],
    ['import type { Coverage } from "centavo/coverage";', "report/coverage/of-simulator.ts"],
    ['await import("centavo/node");', "adapters/node.ts"],
    ['type Node = typeof import("centavo/node");', "adapters/node.ts"],
  ] as const)("with %s imports %s", ([text, imported]) => {
    expect(importedSources(parse("simulator/example.ts", text))).toContain(imported);
  });

  test.for<[room: string, files: readonly string[]]>([
    ["simulator", ["openapi-document.ts", "payment-service.ts"]],
    ["openapi", []],
  ])("of %s names no service, but for %s alone", ([room, files]) => {
    const naming = sources.filter(
      (source) =>
        source.path.startsWith(`${room}/`) && importedSources(source).some((target) => target.startsWith("service/")),
    );
    expect(naming.map(({ path }) => path)).toEqual(files.map((file) => `${room}/${file}`));
  });

  test.for([
    { from: "kit/engine/clock.ts", to: "kit/http/route.ts", allowed: false },
    { from: "kit/http/route.ts", to: "kit/webhooks/outbox.ts", allowed: false },
    { from: "kit/http/router.ts", to: "service/error-table.ts", allowed: false },
    { from: "kit/faults/faults.ts", to: "kit/http/route.ts", allowed: false },
    { from: "service/checkout/commands.ts", to: "service/payment-intents/commands.ts", allowed: true },
    { from: "service/payment-intents/commands.ts", to: "service/checkout/commands.ts", allowed: false },
    { from: "service/auth/commands.ts", to: "simulator/simulator.ts", allowed: false },
    { from: "adapters/node.ts", to: "simulator/simulator.ts", allowed: true },
    { from: "adapters/node.ts", to: "cli/main.ts", allowed: false },
    { from: "testing/test-session.ts", to: "report/causes/cause-report.ts", allowed: true },
    { from: "simulator/simulator.ts", to: "report/causes/cause-report.ts", allowed: false },
    { from: "kit/receivers/receiver.ts", to: "kit/base/runtime/http.ts", allowed: true },
    { from: "service/service.ts", to: "service/auth/resource.ts", allowed: true },
    { from: "service/auth/resource.ts", to: "service/service.ts", allowed: false },
    { from: "kit/declaration/resource.ts", to: "service/resource.ts", allowed: false },
    { from: "index.ts", to: "simulator/simulator.ts", allowed: true },
    { from: "simulator/simulator.ts", to: "index.ts", allowed: false },
  ])("$from imports $to: $allowed", ({ from, to, allowed }) => {
    expect(mayImport(roomOf(from), roomOf(to))).toBe(allowed);
  });
});

function roomOf(path: string): string {
  if (known.includes(path)) return path;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  if (folder === "") return doors.includes(path) ? "doors" : path;
  const rooms = known.filter((room) => folder === room || folder.startsWith(`${room}/`));
  return rooms.toSorted((left, right) => right.length - left.length)[0] ?? folder;
}

function floorOf(room: string): number {
  return floors.findIndex((floor) => floor.includes(room));
}

function mayImport(from: string, to: string): boolean {
  return from === to || floorOf(from) < floorOf(to);
}

/** The folders at the top of `src` and those of the kit, and which of them each imports. */
function importsBetweenFolders(): ReadonlyMap<string, ReadonlySet<string>> {
  const imports = new Map<string, Set<string>>();
  for (const source of sources) {
    const from = folderOf(source.path);
    const reached = imports.get(from) ?? new Set();
    imports.set(from, reached);
    for (const target of importedSources(source)) if (folderOf(target) !== from) reached.add(folderOf(target));
  }
  return imports;
}

function folderOf(path: string): string {
  const [folder = "", inner = "", ...rest] = path.split("/");
  if (inner === "") return "doors";
  return folder === "kit" && rest.length > 0 ? `kit/${inner}` : folder;
}

/** Throws an error that names the circle when folders import one another. */
function longestChain(
  from: string,
  imports: ReadonlyMap<string, ReadonlySet<string>>,
  above: readonly string[] = [],
): readonly string[] {
  if (above.includes(from)) throw new Error(`A circle of imports: ${[...above, from].join(" → ")}`);
  const below = [...(imports.get(from) ?? [])].map((folder) => longestChain(folder, imports, [...above, from]));
  const [longest = []] = below.toSorted((left, right) => right.length - left.length);
  return [from, ...longest];
}
