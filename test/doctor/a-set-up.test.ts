import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };
import type { Finding } from "../../src/doctor/finding.ts";
import { checkNode } from "../../src/doctor/package-checks.ts";
import { serve } from "../../src/server.ts";
import { createSimulator } from "centavo";
import { centavoIn } from "../cli/commands.ts";

const interceptors = manifest.dependencies["@mswjs/interceptors"];
const SHARED = interceptors.replace("^", "");

const root = mkdtempSync(join(tmpdir(), "centavo-doctor-test-"));
afterAll(() => rmSync(root, { recursive: true }));

type Files = Readonly<Record<string, object | string>>;

/** What is installed in a project in which nothing is wrong. */
const healthy: Files = {
  "package.json": { name: "shop", devDependencies: { centavo: "*", msw: "*", nock: "*", vitest: "*" } },
  "node_modules/centavo": {
    name: "centavo",
    version: manifest.version,
    dependencies: { "@mswjs/interceptors": interceptors },
    peerDependencies: { vitest: ">=1" },
    // Hides its package.json, as many packages do.
    exports: { ".": "./index.js" },
  },
  "node_modules/@mswjs/interceptors": { name: "@mswjs/interceptors", version: SHARED, exports: { "./net": "./n.js" } },
  "node_modules/msw": { name: "msw", version: "3.0.5" },
  "node_modules/nock": { name: "nock", version: "15.0.6", dependencies: { "@mswjs/interceptors": "*" } },
  "node_modules/vitest": { name: "vitest", version: "5.1.1" },
};

/** A copy of the interceptors that patches sockets, or an older one that does not. */
const copy = (version: string, entry = "./net"): object => ({
  name: "@mswjs/interceptors",
  version,
  exports: { [entry]: "./n.js" },
});

/** Makes a project. An object below `node_modules` is the package.json of the package. */
function project(files: Files): string {
  const folder = mkdtempSync(join(root, "project-"));
  for (const [path, content] of Object.entries(files)) {
    const file = /node_modules\/(?:@[\w.-]+\/)?[\w.-]+$/.test(path) ? `${path}/package.json` : path;
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), typeof content === "string" ? content : JSON.stringify(content));
  }
  return folder;
}

interface Document {
  readonly exitCode: number;
  readonly findings: readonly Finding[];
}

async function examined(folder: string, ...options: string[]): Promise<Document> {
  const { code, text } = await centavoIn(folder, "doctor", "--json", "--port", "0", ...options);
  const document = JSON.parse(text) as Document;
  expect(document.exitCode).toBe(code);
  return document;
}

const sentences = ({ findings }: Document, status: Finding["status"]): string[] =>
  findings.filter((finding) => finding.status === status).map(({ text }) => text);

describe("centavo doctor", () => {
  test("says of a healthy project what is right, and exits with 0", async () => {
    const document = await examined(project(healthy));
    expect(sentences(document, "wrong")).toEqual([]);
    expect(sentences(document, "right")).toEqual(
      expect.arrayContaining([
        "Packages are installed in node_modules.",
        `Centavo ${manifest.version} is installed once.`,
        `@mswjs/interceptors ${SHARED} is one that Centavo takes (${interceptors}).`,
        "msw 3.0.5 works.",
        "nock 15.0.6 works.",
        "vitest 5.1.1 works.",
        "Port 0 is free for centavo serve.",
      ]),
    );
    expect(document.exitCode).toBe(0);
  });

  test.for<[what: string, changes: Files, expected: string | RegExp]>([
    ["Centavo missing", { "node_modules/centavo": { name: "other" } }, "Centavo is not installed in this project."],
    [
      "two copies of Centavo",
      {
        "package.json": { devDependencies: { centavo: "*", "shop-testing": "*" } },
        "node_modules/shop-testing": { name: "shop-testing", version: "1.0.0", dependencies: { centavo: "*" } },
        "node_modules/shop-testing/node_modules/centavo": { name: "centavo", version: "0.0.9" },
      },
      /^There are 2 copies of Centavo: 0\.1\.0 in .*\(by the project\); 0\.0\.9 in .*\(by shop-testing\)\.$/,
    ],
    [
      "another Centavo than this one",
      { "node_modules/centavo": { name: "centavo", version: "9.9.9" } },
      `This is centavo ${manifest.version}, and the project has 9.9.9.`,
    ],
    ["interceptors missing", { "node_modules/@mswjs/interceptors": {} }, "@mswjs/interceptors is missing."],
    [
      "interceptors that an override replaced",
      { "node_modules/@mswjs/interceptors": copy("0.44.0") },
      `@mswjs/interceptors is 0.44.0, and Centavo takes ${interceptors}.`,
    ],
    [
      "a second copy of the interceptors",
      { "node_modules/nock/node_modules/@mswjs/interceptors": copy("0.44.0") },
      /^There is a second copy of @mswjs\/interceptors: 0\.44\.0 in .*nock.* \(by nock\)\.$/,
    ],
    ["MSW 1", { "node_modules/msw": { name: "msw", version: "1.3.5" } }, "msw is 1.3.5."],
    ["nock 15.0.2", { "node_modules/nock": { name: "nock", version: "15.0.2" } }, "nock is 15.0.2."],
    ["nock 13", { "node_modules/nock": { name: "nock", version: "13.5.6" } }, "nock is 13.5.6."],
    ["vitest 1.2", { "node_modules/vitest": { name: "vitest", version: "1.2.0" } }, "vitest is 1.2.0."],
    ["TypeScript 5.4", { "node_modules/typescript": { name: "typescript", version: "5.4.5" } }, "typescript is 5.4.5."],
    [
      "a peer that is too old",
      { "node_modules/vitest": { name: "vitest", version: "0.34.6" } },
      "vitest is 0.34.6, and Centavo takes >=1.",
    ],
    [
      "a configuration of Jest that fakes everything",
      { "jest.config.js": "module.exports = { fakeTimers: { enableGlobally: true } };" },
      "Fake timers replace nextTick or queueMicrotask in jest.config.js.",
    ],
    [
      "a package.json that fakes everything",
      { "package.json": { devDependencies: { centavo: "*" }, jest: { fakeTimers: { enableGlobally: true } } } },
      "Fake timers replace nextTick or queueMicrotask in package.json.",
    ],
    [
      "a configuration of vitest that fakes nextTick",
      { "vitest.config.ts": 'export default { test: { fakeTimers: { toFake: ["nextTick"] } } };' },
      "Fake timers replace nextTick or queueMicrotask in vitest.config.ts.",
    ],
    [
      "tests that fake everything",
      {
        "test/a.test.js": 'import "centavo";\njest.useFakeTimers();',
        "test/b.test.js": 'import "centavo";\nsinon.useFakeTimers({ now: 1 });',
        "test/c.test.js": 'import "centavo";\nvi.useFakeTimers({ toFake: ["queueMicrotask"] });',
      },
      "Fake timers replace nextTick or queueMicrotask in test/a.test.js, test/b.test.js, test/c.test.js.",
    ],
  ])("tells of %s, with a cause and a way out", async ([, changes, expected]) => {
    const document = await examined(project({ ...healthy, ...changes }));
    expect(sentences(document, "wrong")).toContainEqual(
      typeof expected === "string" ? expected : expect.stringMatching(expected),
    );
    for (const { status, cause, wayOut } of document.findings)
      if (status === "wrong")
        expect([cause, wayOut]).toEqual([expect.stringMatching(/\w/), expect.stringMatching(/\w/)]);
    expect(document.exitCode).toBe(1);
  });

  test.for<[what: string, changes: Files]>([
    [
      "an older copy of the interceptors, which patches no sockets",
      { "node_modules/nock/node_modules/@mswjs/interceptors": copy("0.41.9", "./fetch") },
    ],
    [
      "fake timers that leave what requests need",
      {
        "jest.config.js":
          'module.exports = { fakeTimers: { enableGlobally: true, doNotFake: ["nextTick", "queueMicrotask"] } };',
        "test/a.test.js": 'import "centavo";\njest.useFakeTimers({ doNotFake: ["nextTick", "queueMicrotask"] });',
        "test/b.test.js": 'import "centavo";\nsinon.useFakeTimers({ toFake: ["setTimeout"] });\nvi.useFakeTimers();',
      },
    ],
    [
      "another copy of Centavo above a workspace, which no dependency names",
      {
        "packages/shop/package.json": { name: "shop", devDependencies: { centavo: "*", msw: "*" } },
        "packages/shop/node_modules/centavo": healthy["node_modules/centavo"] as object,
        "node_modules/centavo": { name: "centavo", version: "0.0.9" },
      },
    ],
    ["fake timers in tests without Centavo", { "test/a.test.js": "jest.useFakeTimers();" }],
    ["fake timers in a comment", { "test/a.test.js": 'import "centavo";\n// jest.useFakeTimers();' }],
    ["a configuration that throws when it is executed", { "vitest.config.ts": 'throw new Error("executed");' }],
  ])("has nothing against %s", async ([, changes]) => {
    const place = Object.hasOwn(changes, "packages/shop/package.json") ? ["--directory", "packages/shop"] : [];
    const document = await examined(project({ ...healthy, ...changes }), ...place);
    expect(sentences(document, "wrong")).toEqual([]);
    expect(document.exitCode).toBe(0);
  });

  test("counts a package once that links lead to, as with pnpm", async () => {
    const folder = project({
      "package.json": { devDependencies: { centavo: "*", msw: "*" } },
      "node_modules/.pnpm/centavo/node_modules/centavo": healthy["node_modules/centavo"] as object,
      "node_modules/.pnpm/centavo/node_modules/@mswjs/interceptors": copy(SHARED),
      "node_modules/.pnpm/msw/node_modules/msw": { name: "msw", version: "3.0.5" },
      "node_modules/.pnpm/msw/node_modules/@mswjs/.keep": "",
    });
    const installed = join(folder, "node_modules");
    for (const name of ["centavo", "msw"])
      symlinkSync(join(installed, `.pnpm/${name}/node_modules/${name}`), join(installed, name));
    symlinkSync(
      join(installed, ".pnpm/centavo/node_modules/@mswjs/interceptors"),
      join(installed, ".pnpm/msw/node_modules/@mswjs/interceptors"),
    );
    const document = await examined(folder);
    expect(sentences(document, "wrong")).toEqual([]);
    expect(sentences(document, "right")).toContain("Packages are installed by pnpm.");
  });

  test("finds packages above a workspace, and takes --directory", async () => {
    const folder = project({
      ...healthy,
      "packages/shop/package.json": { name: "shop", devDependencies: { centavo: "*" } },
    });
    const { findings } = await examined(folder, "--directory", "packages/shop");
    expect(findings.map(({ text }) => text)).toContain(`Centavo ${manifest.version} is installed once.`);
  });

  test.for(["packages/shpo", "package.json"])(
    "could not run with --directory %s, which is no folder",
    async (named) => {
      const { code, text } = await centavoIn(project(healthy), "doctor", "--directory", named);
      expect(text).toBe(`--directory: there is no folder ${named}. Name the folder of your project.`);
      expect(code).toBe(2);
    },
  );

  test("says that it cannot know the packages of Plug'n'Play from outside", async () => {
    const document = await examined(project({ "package.json": { name: "shop" }, ".pnp.cjs": "" }));
    expect(sentences(document, "unknown")).toEqual([
      "The project uses Yarn's Plug'n'Play, and this Node does not, so nothing is known of its packages.",
    ]);
    expect(document.exitCode).toBe(0);
  });

  test("says that nothing is installed", async () => {
    const document = await examined(project({ "package.json": { name: "shop" } }));
    expect(sentences(document, "wrong")).toContain("There is no node_modules here or above.");
  });

  test.for(["", "no JSON"])("could not run where the package.json holds %j", async (text) => {
    const { code, text: printed } = await centavoIn(project({ "package.json": text }), "doctor");
    expect(printed).toContain("centavo doctor: there is no package.json that can be read in ");
    expect(code).toBe(2);
  });

  test("tells of a port that another program has", async () => {
    const server = createServer((_, answer) => answer.end("another program")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const document = await examined(project(healthy), "--port", String(port));
    server.close();
    expect(sentences(document, "wrong")).toEqual([`Another program listens on port ${port}.`]);
  });

  test("tells of a server of Centavo that has the port, which may be meant", async () => {
    await using server = await serve(createSimulator());
    const { port } = new URL(server.url);
    const document = await examined(project(healthy), "--port", port);
    expect(sentences(document, "unknown")).toEqual([`A server of Centavo already answers at port ${port}.`]);
    expect(document.exitCode).toBe(0);
  });

  test("prints marks, causes and ways out", async () => {
    const changes = { "node_modules/msw": { name: "msw", version: "1.3.5" } };
    const { code, text } = await centavoIn(project({ ...healthy, ...changes }), "doctor", "--port", "0");
    expect(text).toContain(
      "✗ msw is 1.3.5.\n    With this version handlers(sim) of centavo/msw refuses.\n    → Update msw to 2.11 or later, or use intercept(sim) before server.listen().\n",
    );
    expect(text).toMatch(/^✓ Node [\d.]+ is supported\.\n/);
    expect(text).toMatch(/\n\nOne thing is wrong\.$/);
    expect(code).toBe(1);
  });
});

test.for([
  ["22.18.0", "right"],
  ["24.21.0", "right"],
  ["26.10.0", "right"],
  ["22.17.1", "wrong"],
  ["20.19.4", "wrong"],
  ["25.1.0", "unknown"],
] as const)("Node %s is %s", ([version, status]) => {
  expect(checkNode(version).status).toBe(status);
});
