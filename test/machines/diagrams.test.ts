import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import * as machines from "centavo/machines";
import { machineDiagrams } from "../../scripts/machine-diagrams.ts";

/** What the test reads of a machine of XState, whose own types have `any` in these places. */
interface ReadMachine {
  readonly id: string;
  readonly states: Readonly<Record<string, { readonly key: string; readonly transitions: ReadonlyMap<string, Moves> }>>;
}
type Moves = readonly { readonly eventType: string; readonly target?: readonly { readonly key: string }[] }[];

const all = Object.values(machines) as unknown as readonly ReadMachine[];
const drawn = await machineDiagrams();

describe("the machines' diagrams", () => {
  test.for(drawn)("$path is what node scripts/machine-diagrams.ts draws", ({ path, svg }) => {
    expect(readFileSync(join(import.meta.dirname, "../..", path), "utf8")).toBe(svg);
  });

  test("show every machine that is exported", () => {
    expect(drawn.map(({ machine }) => machine).toSorted()).toEqual(all.map(({ id }) => id).toSorted());
  });

  test.for(all)("name every state and every move of $id, each once", (machine) => {
    const svg = drawn.find((diagram) => diagram.machine === machine.id)?.svg ?? "";
    const named = [...svg.matchAll(/ id="([^"]+)"/g)].map(([, id = ""]) => id);
    const states = Object.values(machine.states).map(({ key }) => `${machine.id}-${key}`);
    const moves = Object.values(machine.states).flatMap((state) =>
      [...state.transitions.values()]
        .flat()
        .map(({ eventType, target }) => `${machine.id}-${state.key}-${eventType}-${target?.[0]?.key ?? state.key}`),
    );
    expect(named).toEqual([...new Set(named)]);
    expect([...states, ...moves].filter((id) => !named.includes(id))).toEqual([]);
  });

  test.for(drawn)("$machine has no colour, font size in a style, script or address of its own", ({ svg }) => {
    expect(svg).not.toMatch(/style=|<script|<style|href|https?:(?!\/\/www\.w3\.org)|black/);
  });
});
