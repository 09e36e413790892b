// A project that checks this file alone would not find the declaration.
// oxlint-disable-next-line typescript/triple-slash-reference
/// <reference path="./semver.d.ts" />
import satisfies from "semver/functions/satisfies.js";
import type { Finding } from "./finding.ts";
import { right, unknown, wrong } from "./finding.ts";
import type { Copy, Installed, Project } from "./project.ts";

/** The running program: its package, which may be another copy than the project's. */
export interface Program {
  readonly version: string;
  readonly folder: string;
}

/** Checks the Node that runs this, which is that of the tests unless they choose another. */
export function checkNode(version: string): Finding {
  if (satisfies(version, "22.18 - 22 || 24 || 26")) return right("node", `Node ${version} is supported.`);
  if (!satisfies(version, ">=22.18"))
    return wrong(
      "node",
      `Node ${version} is too old.`,
      "Centavo needs Node 22.18 or later.",
      "Install Node 24, which has long-term support.",
    );
  return unknown(
    "node",
    `Node ${version} is not among those that Centavo is tested on.`,
    "Use Node 22.18 or later of 22, 24 or 26.",
  );
}

export function checkCentavo(project: Project, program: Program): readonly Finding[] {
  if (project.manifest.name === "centavo") return [right("centavo", `This is Centavo ${program.version} itself.`)];
  const copies = project.copies("centavo");
  const [first, second] = copies;
  if (first === undefined)
    return [
      wrong(
        "centavo",
        "Centavo is not installed in this project.",
        "Node finds no package centavo from here: the packages are not installed, or package.json does not name it.",
        "npm install --save-dev centavo",
      ),
    ];
  if (second !== undefined)
    return [
      wrong(
        "centavo",
        `There are ${copies.length} copies of Centavo: ${inWords(copies)}.`,
        "Each copy has simulators, interception and errors of its own, so that one does not know what the other intercepts.",
        "Install one version: npm ls centavo shows who brings which, and overrides in package.json, or resolutions with Yarn, choose one.",
      ),
    ];
  if (first.folder !== program.folder && first.version !== program.version)
    return [
      wrong(
        "centavo",
        `This is centavo ${program.version}, and the project has ${first.version}.`,
        "The command came from elsewhere, such as a global install or the cache of npx.",
        "Call the project's own: npx --no-install centavo doctor",
      ),
    ];
  return [right("centavo", `Centavo ${first.version} is installed once.`)];
}

/** Two copies of this library that patch sockets break each other; older ones patch other things. */
export function checkInterceptors(project: Project): readonly Finding[] {
  const centavo = project.find("centavo");
  const own = centavo && project.find("@mswjs/interceptors", centavo.folder);
  if (centavo === undefined) return [];
  const range = centavo.manifest.dependencies?.["@mswjs/interceptors"] ?? "*";
  if (own === undefined)
    return [
      wrong(
        "interceptors",
        "@mswjs/interceptors is missing.",
        "intercept() cannot load it. An install that was broken off, or one without optional parts, leaves it out.",
        "npm install",
      ),
    ];
  const others = project
    .copies("@mswjs/interceptors")
    .filter((copy) => copy.folder !== own.folder && patchesSockets(copy));
  return [
    satisfies(own.version, range)
      ? right("interceptors", `@mswjs/interceptors ${own.version} is one that Centavo takes (${range}).`)
      : wrong(
          "interceptors",
          `@mswjs/interceptors is ${own.version}, and Centavo takes ${range}.`,
          "An override or a resolution of the project replaces it, and interception reads parts of it that differ by version.",
          `Set the override to ${range}, or remove it.`,
        ),
    ...others.map((copy) =>
      wrong(
        "interceptors",
        `There is a second copy of @mswjs/interceptors: ${inWords([copy])}.`,
        "Two copies patch the same sockets and break each other: calls hang, reach the network or fail.",
        "Update msw to 3 and nock to 15.0.6 or later, which share Centavo's copy; npm dedupe, or overrides in package.json, leave one.",
      ),
    ),
  ];
}

function patchesSockets({ manifest: { exports } }: Installed): boolean {
  return typeof exports === "object" && exports !== null && "./net" in exports;
}

/** Versions of packages that people use beside Centavo, and what does not work there. The first row whose range fits counts. */
const limits: Readonly<Record<string, readonly (readonly [range: string, what?: string, wayOut?: string])[]>> = {
  msw: [
    [
      "<2.11",
      "handlers(sim) of centavo/msw refuses",
      "Update msw to 2.11 or later, or use intercept(sim) before server.listen().",
    ],
    ["<4"],
  ],
  nock: [
    [
      "<14",
      "with disableNetConnect it refuses all calls but those of fetch, which it does not mock",
      "Update nock to 15.0.6, or let the service pass with nock.enableNetConnect.",
    ],
    [
      "15.0.0",
      "with disableNetConnect it refuses the global fetch if it starts after intercept",
      "Update nock to 15.0.6.",
    ],
    ["15.0.1 - 15.0.5", "it brings a copy of @mswjs/interceptors that breaks Centavo's", "Update nock to 15.0.6."],
    ["<16"],
  ],
  vitest: [
    ["<1.5", "withSimulator refuses", "Update vitest, or use simulated of centavo/testing."],
    ["<3", "CoverageReporter refuses to start, and the matchers have no types", "Update vitest to 4.1 or later."],
    [
      "<4.1",
      "toMatchTimeline and toMatchInlineTimeline do not work",
      "Update vitest to 4.1 or later, or compare timelineOf(sim).",
    ],
    ["<6"],
  ],
  jest: [["<29", "it is not tested", "Update jest to 30."], ["<31"]],
  mocha: [["<11", "it is not tested", "Update mocha to 12."], ["<13"]],
  typescript: [["<5.5", "the declarations of Centavo do not compile", "Update typescript to 5.5 or later."], ["<8"]],
};

export function checkCompanions(project: Project): readonly Finding[] {
  return Object.entries(limits).flatMap(([name, rows]) => {
    const installed = project.find(name);
    if (installed === undefined) return [];
    const { version } = installed;
    const row = rows.find(([range]) => satisfies(version, range, { includePrerelease: true }));
    if (row === undefined)
      return unknown(
        name,
        `${name} ${version} is newer than those that Centavo is tested with.`,
        "See docs/reference/compatibility.md.",
      );
    const [, what, wayOut] = row;
    if (what === undefined || wayOut === undefined) return right(name, `${name} ${version} works.`);
    return wrong(name, `${name} is ${version}.`, `With this version ${what}.`, wayOut);
  });
}

/** Compares what is installed with the ranges of Centavo's optional peers. */
export function checkPeers(project: Project): readonly Finding[] {
  const ranges = Object.entries(project.find("centavo")?.manifest.peerDependencies ?? {});
  return ranges.flatMap(([name, range]) => {
    const installed = project.find(name);
    if (installed === undefined || satisfies(installed.version, range, { includePrerelease: true })) return [];
    return wrong(
      "peers",
      `${name} is ${installed.version}, and Centavo takes ${range}.`,
      `The part of Centavo that uses ${name} needs another version.`,
      `npm install --save-dev '${name}@${range}'`,
    );
  });
}

function inWords(copies: readonly Copy[]): string {
  return copies.map(({ version, folder, through }) => `${version} in ${folder} (by ${through.join(", ")})`).join("; ");
}
