import { figureOf, median } from "./measure.ts";
import type { Comparison } from "./figures.ts";

const ROUNDS = 5;
const flow = "create, confirm and read a payment intent";

/** A side of a comparison: a file of this folder, and its arguments. */
type Side = readonly [file: string, ...args: string[]];

export function compareFlows(): Comparison[] {
  return [
    compare(
      { what: `${flow} through \`intercept(sim)\``, unit: "µs", beside: "three static handlers in MSW 3" },
      ["ways.ts", "intercept"],
      ["ways.ts", "msw-static"],
    ),
    compare(
      { what: `${flow} through \`handlers(sim)\` in MSW 3`, unit: "µs", beside: "three static handlers there" },
      ["ways.ts", "msw"],
      ["ways.ts", "msw-static"],
    ),
    compare(
      { what: `${flow} through \`sim.fetch\``, unit: "µs", beside: "three functions with static answers" },
      ["ways.ts", "direct"],
      ["ways.ts", "direct-static"],
    ),
    compare(
      { what: `${flow} through \`serve(sim)\``, unit: "µs", beside: "static answers from the same server" },
      ["ways.ts", "server"],
      ["ways.ts", "server-static"],
    ),
  ];
}

export function compareInspections(): Comparison[] {
  return [
    compare(
      { what: `${flow} through \`sim.fetch\`, shown with \`CENTAVO_INSPECT=1\``, unit: "µs", beside: "not shown" },
      ["ways.ts", "inspected"],
      ["ways.ts", "direct"],
    ),
  ];
}

export function compareStates(): Comparison[] {
  return [
    compare(
      { what: `${flow} through \`serve(sim, { state: "shop.db" })\``, unit: "µs", beside: "without the file" },
      ["ways.ts", "server-state"],
      ["ways.ts", "server"],
    ),
  ];
}

export function compareRenewals(): Comparison[] {
  return [
    compare(
      {
        what: "renew a monthly subscription, its webhooks delivered",
        unit: "µs",
        beside: `${flow} through \`sim.fetch\``,
      },
      ["renewal.ts", "1000"],
      ["ways.ts", "direct"],
    ),
    compare(
      { what: "the same renewal among 10 000 subscriptions", unit: "µs", beside: "among 1 000" },
      ["renewal.ts", "10000"],
      ["renewal.ts", "1000"],
    ),
  ];
}

export function compareForks(): Comparison[] {
  return [1000, 10_000].map((payments) =>
    compare(
      {
        what: `\`sim.fork()\` of a world with ${payments.toLocaleString("en").replace(",", " ")} payments`,
        unit: "ms",
        beside: "`structuredClone` of its snapshot",
      },
      ["fork.ts", "fork", String(payments)],
      ["fork.ts", "clone", String(payments)],
    ),
  );
}

export function compareWorlds(): Comparison[] {
  return [
    compare(
      { what: "the memory of a server with 1 000 idle worlds", unit: "MB", beside: "without any" },
      ["worlds.ts", "memory", "1000"],
      ["worlds.ts", "memory", "0"],
    ),
    compare(
      { what: `${flow} over HTTP, in each of 20 worlds of one server in turn`, unit: "µs", beside: "in one of them" },
      ["worlds.ts", "flow", "20"],
      ["worlds.ts", "flow", "1"],
    ),
  ];
}

export function compareInspectors(): Comparison[] {
  return (["search", "scroll"] as const).map((what) =>
    compare(
      {
        what: `${what === "search" ? "a letter in the search" : "a jump in the timeline"} of an inspector with 10 000 entries, to the picture, the slowest of nine`,
        unit: "ms",
        beside: "with 1 000 entries",
      },
      ["inspector.ts", what, "10000"],
      ["inspector.ts", what, "1000"],
    ),
  );
}

export function compareShakes(): Comparison[] {
  return [1, 10, 40].map((troubles) =>
    compare(
      {
        what: `\`centavo shake\` of four tests of the express shop, with ${troubles} ${troubles === 1 ? "trouble" : "troubles"} in each`,
        unit: "ms",
        beside: "the four tests alone",
      },
      ["shake.ts", String(troubles)],
      ["shake.ts"],
    ),
  );
}

export function compareImports(): Comparison[] {
  return ["centavo", "centavo/node", "centavo/testing"].map((name) =>
    compare(
      { what: `\`import "${name}"\` in a fresh process`, unit: "ms", beside: '`import "msw/node"` of MSW 2.15' },
      ["imports.ts", name],
      ["imports.ts", "msw-2"],
    ),
  );
}

/** Runs both sides in fresh processes that take turns, so that a machine that slows down slows both. */
function compare(names: Pick<Comparison, "what" | "unit" | "beside">, ours: Side, theirs: Side): Comparison {
  const rounds = Array.from({ length: ROUNDS }, (_, round) => {
    // Whoever is first may find a colder machine.
    if (round % 2 === 0) return { cost: figureOf(...ours), costBeside: figureOf(...theirs) };
    const costBeside = figureOf(...theirs);
    return { cost: figureOf(...ours), costBeside };
  });
  return {
    what: names.what,
    unit: names.unit,
    cost: median(rounds.map(({ cost }) => cost)),
    beside: names.beside,
    costBeside: median(rounds.map(({ costBeside }) => costBeside)),
  };
}
