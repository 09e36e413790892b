import { describe, expect, test } from "vitest";
import { importedSources, productSources } from "./source-tree.ts";

/** The layers, highest first. A file at the top of `src` that is not named here belongs to `simulator`. */
const layers: readonly (readonly string[])[] = [
  ["cli"],
  ["adapters", "scenario", "fixtures", "testing"],
  ["simulator"],
  ["openapi"],
  ["host.ts"],
  ["client"],
  ["auth", "payment-intents", "checkout", "subscriptions", "transactions", "payment-methods"],
  ["http", "webhooks", "faults"],
  ["assumptions.ts"],
  ["assumption-table.ts"],
  ["engine"],
  ["errors.ts", "nearest.ts"],
];

/**
 * The arrows that are not downwards. Faults are planned in one place and bite where calls are answered and events delivered. Webhooks wait in real time for receivers, which are not the product's code; a scenario's
 * merchant reaches the service through one of the adapters.
 */
const arrows: Readonly<Record<string, readonly string[]>> = {
  checkout: ["payment-intents", "payment-methods"],
  subscriptions: ["payment-intents", "payment-methods"],
  transactions: ["payment-intents", "payment-methods", "checkout"],
  "payment-intents": ["payment-methods"],
  scenario: ["adapters"],
  http: ["faults"],
  webhooks: ["host.ts", "faults"],
};

const sources = productSources();

describe("the folders of the product", () => {
  test("each has its place in a layer", () => {
    const placeless = sources.filter(({ path }) => layerOf(placeOf(path)) === -1);
    expect(placeless.map(({ path }) => path)).toEqual([]);
  });

  test("import downwards, or sideways where an arrow is drawn", () => {
    const upwards = sources.flatMap((source) =>
      importedSources(source)
        .filter((target) => !mayImport(placeOf(source.path), placeOf(target)))
        .map((target) => `${source.path} → ${target}`),
    );
    expect(upwards).toEqual([]);
  });

  test.for([
    { from: "engine/clock.ts", to: "http/route.ts", allowed: false },
    { from: "http/route.ts", to: "webhooks/outbox.ts", allowed: false },
    { from: "faults/faults.ts", to: "http/route.ts", allowed: false },
    { from: "checkout/commands.ts", to: "payment-intents/commands.ts", allowed: true },
    { from: "payment-intents/commands.ts", to: "checkout/commands.ts", allowed: false },
    { from: "subscriptions/billing.ts", to: "transactions/projection.ts", allowed: false },
    { from: "auth/commands.ts", to: "simulator.ts", allowed: false },
    { from: "adapters/node.ts", to: "simulator.ts", allowed: true },
    { from: "adapters/node.ts", to: "cli/main.ts", allowed: false },
    { from: "webhooks/receiver.ts", to: "host.ts", allowed: true },
    { from: "http/handle.ts", to: "host.ts", allowed: false },
    { from: "index.ts", to: "simulator.ts", allowed: true },
  ])("$from imports $to: $allowed", ({ from, to, allowed }) => {
    expect(mayImport(placeOf(from), placeOf(to))).toBe(allowed);
  });
});

function placeOf(path: string): string {
  const named = layers.flat().find((place) => place === path || path.startsWith(`${place}/`));
  return named ?? (path.includes("/") ? path : "simulator");
}

function layerOf(place: string): number {
  return layers.findIndex((layer) => layer.includes(place));
}

function mayImport(from: string, to: string): boolean {
  return from === to || layerOf(from) < layerOf(to) || (arrows[from] ?? []).includes(to);
}
