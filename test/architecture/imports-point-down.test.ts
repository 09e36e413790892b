import { describe, expect, test } from "vitest";
import { readFileSync } from "node:fs";
import ts from "@typescript/typescript6";
import { entries } from "../../scripts/entries.ts";
import { importedSources, productSources } from "./source-tree.ts";

/** The ways into the package: files at the top of `src` that hold exports alone. */
const doors: ReadonlySet<string> = new Set([
  "client",
  "coverage",
  "coverage-collector",
  "exam",
  "fixtures",
  "index",
  "jest",
  "jest-reporter",
  "machines",
  "msw",
  "node",
  "openapi",
  "report",
  "scenario",
  "server",
  "testing",
  "vitest",
  "vitest-reporter",
  "webhooks",
]);

/** The storeys, highest first. A file may import from lower storeys; beside its own folder it imports only along `arrows`. */
const storeys: readonly (readonly string[])[] = [
  ["doors"],
  ["cli"],
  ["exam"],
  ["scenario", "testing"],
  ["fixtures", "openapi"],
  ["report"],
  ["coverage"],
  ["causes"],
  ["adapters"],
  ["simulator"],
  ["client"],
  // The list of resources stands above them, the words that they share below.
  ["service/service.ts"],
  ["service/faults.ts", "service/openapi.ts", "service/verify-webhook.ts"],
  ["service/events.ts"],
  [
    "service/auth",
    "service/checkout",
    "service/payment-intents",
    "service/payment-methods",
    "service/subscriptions",
    "service/transactions",
  ],
  ["service"],
  ["declaration"],
  ["http", "webhooks"],
  ["receivers", "faults", "assumptions"],
  ["engine"],
  ["runtime"],
  ["redaction"],
  ["errors"],
];

/** The arrows between folders of one storey. */
const arrows: Readonly<Record<string, readonly string[]>> = {
  "service/auth": ["service/payment-intents"],
  "service/checkout": ["service/payment-intents", "service/payment-methods"],
  "service/payment-intents": ["service/payment-methods"],
  "service/subscriptions": ["service/payment-intents", "service/payment-methods"],
  "service/transactions": ["service/checkout", "service/payment-intents", "service/payment-methods"],
};

const sources = productSources();
const known = storeys.flat();

describe("every file of the product", () => {
  test("stands in a folder that has its place, or is a door", () => {
    const placeless = sources.filter(({ path }) => !known.includes(roomOf(path)));
    expect(placeless.map(({ path }) => path)).toEqual([]);
  });

  test("imports downwards, or sideways where an arrow is drawn", () => {
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
    expect(entries.map(({ source }) => source).toSorted()).toEqual(
      [...doors].map((door) => `src/${door}.ts`).toSorted(),
    );
  });

  test("stands in a folder that the architecture page draws", () => {
    const page = readFileSync(new URL("../../docs/decisions/architecture.md", import.meta.url), "utf8");
    const rooms = known.filter((room) => room !== "doors" && !room.endsWith(".ts"));
    expect(rooms.filter((room) => !new RegExp(`${room.replace("service/", "")}/\\s`).test(page))).toEqual([]);
  });

  test.for([
    ["simulator", "payment-service.ts"],
    ["openapi", "document.ts"],
  ])("of %s names no service, but for %s alone", ([room, file]) => {
    const naming = sources.filter(
      (source) =>
        source.path.startsWith(`${room}/`) && importedSources(source).some((target) => target.startsWith("service/")),
    );
    expect(naming.map(({ path }) => path)).toEqual([`${room}/${file}`]);
  });

  test.for([
    { from: "engine/clock.ts", to: "http/route.ts", allowed: false },
    { from: "http/route.ts", to: "webhooks/outbox.ts", allowed: false },
    { from: "http/router.ts", to: "service/error-table.ts", allowed: false },
    { from: "faults/faults.ts", to: "http/route.ts", allowed: false },
    { from: "service/checkout/commands.ts", to: "service/payment-intents/commands.ts", allowed: true },
    { from: "service/payment-intents/commands.ts", to: "service/checkout/commands.ts", allowed: false },
    { from: "service/auth/commands.ts", to: "simulator/simulator.ts", allowed: false },
    { from: "adapters/node.ts", to: "simulator/simulator.ts", allowed: true },
    { from: "adapters/node.ts", to: "cli/main.ts", allowed: false },
    { from: "testing/test-session.ts", to: "causes/report.ts", allowed: true },
    { from: "simulator/simulator.ts", to: "causes/report.ts", allowed: false },
    { from: "receivers/receiver.ts", to: "runtime/http.ts", allowed: true },
    { from: "service/service.ts", to: "service/auth/resource.ts", allowed: true },
    { from: "service/auth/resource.ts", to: "service/service.ts", allowed: false },
    { from: "declaration/resource.ts", to: "service/resource.ts", allowed: false },
    { from: "index.ts", to: "simulator/simulator.ts", allowed: true },
    { from: "simulator/simulator.ts", to: "index.ts", allowed: false },
  ])("$from imports $to: $allowed", ({ from, to, allowed }) => {
    expect(mayImport(roomOf(from), roomOf(to))).toBe(allowed);
  });
});

function roomOf(path: string): string {
  if (known.includes(path)) return path;
  const folder = path.slice(0, Math.max(0, path.lastIndexOf("/")));
  if (folder === "") return doors.has(path.replace(/\.ts$/, "")) ? "doors" : path;
  const rooms = known.filter((room) => folder === room || folder.startsWith(`${room}/`));
  return rooms.toSorted((left, right) => right.length - left.length)[0] ?? folder;
}

function storeyOf(room: string): number {
  return storeys.findIndex((storey) => storey.includes(room));
}

function mayImport(from: string, to: string): boolean {
  return from === to || storeyOf(from) < storeyOf(to) || (arrows[from] ?? []).includes(to);
}
