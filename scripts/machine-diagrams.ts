/** `node scripts/machine-diagrams.ts` draws the machines of the service as SVG, for the report and for the documentation. */
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { instance } from "@viz-js/viz";
import { paymentService } from "../src/simulator/payment-service.ts";
import { diagramsFolder, root } from "./suites.ts";

/** A machine's diagram, and the file that holds it. */
export interface MachineDiagram {
  readonly machine: string;
  readonly path: string;
  readonly svg: string;
}

type Lifecycle = (typeof paymentService.lifecycles)[number];

interface Move {
  readonly from: string;
  readonly input: string;
  readonly to: string;
}

/** Draws every machine. The same machines give the same bytes. */
export async function machineDiagrams(): Promise<MachineDiagram[]> {
  const graphviz = await instance();
  return paymentService.lifecycles.map((declared) => {
    const { name } = declared.lifecycle;
    const drawn = graphviz.renderString(graphOf(declared), { format: "svg" });
    const named = withNamedInputs(drawn.slice(drawn.indexOf("<svg")).replaceAll("&#45;", "-"), declared);
    return { machine: name, path: `${diagramsFolder}/${name}.svg`, svg: withItsOwnColours(named, name) };
  });
}

/** The moves of a machine, each once, although several guards may lead to the same state. */
function movesOf({ lifecycle }: Lifecycle): Move[] {
  const moves = Object.values(lifecycle.machine.states).flatMap((state) =>
    [...state.transitions.entries()].flatMap(([input, transitions]) =>
      transitions.map(({ target }) => ({ from: state.key, input, to: target?.[0]?.key ?? state.key })),
    ),
  );
  return [...new Map(moves.map((move) => [idOf(move), move])).values()];
}

/** What the words of a move are called in the picture, after the machine; its line has no input in its name, because several may share it. */
function idOf({ from, input, to }: Move): string {
  return `${from}-${input}-${to}`;
}

function graphOf(declared: Lifecycle): string {
  const { lifecycle, statusOf } = declared;
  const { name, machine } = lifecycle;
  const states = Object.values(machine.states).map((state) => {
    const word = statusOf[state.key] ?? state.key;
    const label = word === state.key ? word : String.raw`${state.key}\n(${word})`;
    return `"${state.key}" [id="${name}-${state.key}" class="state${state.type === "final" ? " final" : ""}" label="${label}"]`;
  });
  const first = firstStateOf(machine);
  const lines = Map.groupBy(movesOf(declared), ({ from, to }) => `${from}-${to}`);
  const moves = [...lines].map(([between, [move, ...others]]) => {
    if (move === undefined) return "";
    const inputs = [move, ...others].map(({ input }) => ` ${input.replaceAll("_", " ")} `);
    return `"${move.from}" -> "${move.to}" [id="${name}-${between}" class="move" label="${inputs.join(String.raw`\n`)}"]`;
  });
  // Narrow enough for the screen of a phone.
  return `digraph "${name}" {
    graph [bgcolor=transparent rankdir=TB nodesep=0.1 ranksep=0.5 pad=0.02]
    node [shape=box style=rounded fontname=Helvetica fontsize=13 height=0.38 margin="0.1,0.06"]
    edge [fontname=Helvetica fontsize=12 arrowsize=0.6]
    "start" [id="${name}-start" class="start" shape=point width=0.12 label=""]
    ${states.join("\n    ")}
    "start" -> "${first}" [id="${name}-start-${first}" class="move"]
    ${moves.join("\n    ")}
  }`;
}

function firstStateOf({ config }: Lifecycle["lifecycle"]["machine"]): string {
  const { initial } = config as { readonly initial?: unknown };
  if (typeof initial === "string") return initial;
  throw new Error("A machine of the service has no state in which it begins.");
}

/** Gives each input its own name: in a line's words Graphviz names only the line. They stand below one another in the order of the moves. */
function withNamedInputs(drawn: string, declared: Lifecycle): string {
  const { name } = declared.lifecycle;
  const left = movesOf(declared);
  return drawn.replaceAll(/<g id="([^"]+)" class="edge move">.*?<\/g>/gs, (line, id: string) =>
    line.replaceAll("<text ", () => {
      const index = left.findIndex(({ from, to }) => id === `${name}-${from}-${to}`);
      const [move] = left.splice(index, 1);
      return move === undefined ? "<text " : `<text id="${name}-${idOf(move)}" `;
    }),
  );
}

/**
 * Takes out what a page decides: the size, the title that would be shown for the whole graph, and every colour, which becomes that of the
 * text around the picture.
 */
function withItsOwnColours(svg: string, name: string): string {
  return svg
    .replaceAll(/<!--.*?-->\n?/gs, "")
    .replaceAll(/<title>.*?<\/title>\n?/gs, "")
    .replace(
      /<svg width="(\d+)pt" height="(\d+)pt"/,
      `<svg width="$1" height="$2" role="img" aria-label="The states of ${name.replaceAll("_", " ")}"`,
    )
    .replace(/ xmlns:xlink="[^"]*"/, "")
    .replaceAll(/(stroke|fill)="black"/g, '$1="currentColor"')
    .replaceAll(
      /<text([^>]*?) font-family="[^"]*"/g,
      '<text$1 font-family="Helvetica, Arial, sans-serif" fill="currentColor"',
    );
}

if (process.argv[1] === import.meta.filename) {
  for (const { path, svg } of await machineDiagrams()) {
    const file = join(root, path);
    mkdirSync(join(file, ".."), { recursive: true });
    writeFileSync(file, svg);
  }
}
