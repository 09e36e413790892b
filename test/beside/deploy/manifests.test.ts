import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { Deployment, StatefulSet } from "kubernetes-models/apps/v1";
import { Ingress } from "kubernetes-models/networking.k8s.io/v1";
import { Service } from "kubernetes-models/v1";
import type { IProbe, IService } from "kubernetes-models/v1";
import { describe, expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { createProgram } from "../../../src/cli/program.ts";
import { compiled } from "../../docs/compiled.ts";
import { rawStatus, served } from "../../server/served.ts";

const folder = join(import.meta.dirname, "../../../deploy/kubernetes");
const read = (file: string): string => readFileSync(join(folder, file), "utf8");

interface Kustomization {
  readonly resources: readonly string[];
  readonly configMapGenerator: readonly { readonly name: string; readonly files: readonly string[] }[];
}
const { resources, configMapGenerator } = parse(read("kustomization.yaml")) as Kustomization;

const models = { Deployment, Ingress, Service, StatefulSet };
const manifests = resources.flatMap((file) =>
  parseAllDocuments(read(file)).map(
    (document) => document.toJS() as { kind: keyof typeof models; metadata: { name: string } },
  ),
);
const services = manifests.filter(({ kind }) => kind === "Service").map((service) => new Service(service as IService));
const ofKind = (kind: "Deployment" | "StatefulSet"): object => manifests.find((each) => each.kind === kind) ?? {};
const servers = new StatefulSet(ofKind("StatefulSet"));
const router = new Deployment(ofKind("Deployment"));
const haproxy = read("haproxy.cfg");
const dockerfile = readFileSync(join(folder, "../Dockerfile"), "utf8");

describe("the manifests follow the official schemas", () => {
  test.each(manifests)("$kind $metadata.name", ({ kind, ...manifest }) => {
    expect(() => new models[kind](manifest as never).validate()).not.toThrow();
  });

  test("and have no field that the schemas do not know", () => {
    const lines = manifests.map(
      (manifest, index) => `export const manifest${index}: I${manifest.kind} = ${JSON.stringify(manifest)};`,
    );
    const code = [
      'import type { IDeployment, IStatefulSet } from "kubernetes-models/apps/v1";',
      'import type { IIngress } from "kubernetes-models/networking.k8s.io/v1";',
      'import type { IService } from "kubernetes-models/v1";',
    ];
    const compiledIn = join(import.meta.dirname, "compiled");
    const check = (more: readonly string[]): string =>
      compiled([{ page: "", name: "", file: "manifests.ts", code: [...code, ...more].join("\n") }], compiledIn);
    expect(check(lines)).toBe("");
    expect(
      check([...lines, 'export const wrong: IService = { apiVersion: "v1", kind: "Service", spec: { prts: [] } };']),
    ).toContain("prts");
  });
});

describe("the manifests fit each other", () => {
  test("kustomization.yaml names every file", () => {
    const files = configMapGenerator.flatMap((each) => each.files);
    expect([...resources, ...files, "kustomization.yaml"].toSorted()).toEqual(readdirSync(folder).toSorted());
  });

  test("the router has a line, and the cluster a Service, for each server", () => {
    const replicas = servers.spec?.replicas ?? 0;
    const names = Array.from({ length: replicas }, (_, index) => `centavo-${index}`);
    const lines = [...haproxy.matchAll(/^ +server (\S+) (\S+):(\d+)$/gm)].map(([, name, host, port]) => [
      name,
      host,
      port,
    ]);
    expect(lines).toEqual(names.map((name) => [name, name, String(containerPort(servers))]));
    for (const name of names)
      expect(services.find(({ metadata }) => metadata?.name === name)?.spec).toMatchObject({
        selector: { "statefulset.kubernetes.io/pod-name": name },
        ports: [{ port: containerPort(servers) }],
      });
    expect(services.find(({ metadata }) => metadata?.name === servers.spec?.serviceName)?.spec?.clusterIP).toBe("None");
  });

  test("the Ingress leads to the router, and both to a port that listens", () => {
    const ingress = new Ingress(manifests.find(({ kind }) => kind === "Ingress"));
    const [path] = ingress.spec?.rules?.[0]?.http?.paths ?? [];
    const service = services.find(({ metadata }) => metadata?.name === path?.backend.service?.name);
    expect(service?.spec?.ports?.map(({ name }) => name)).toContain(path?.backend.service?.port?.name);
    expect(service?.spec?.selector).toEqual(router.spec?.template.metadata?.labels);
    expect(haproxy).toContain(`bind :${containerPort(router)}\n`);
    const { readinessProbe, livenessProbe } = containerOf(router);
    for (const probe of [readinessProbe, livenessProbe])
      expect(haproxy).toContain(`monitor-uri ${probe?.httpGet?.path}\n`);
    const [mount] = containerOf(router).volumeMounts ?? [];
    expect(router.spec?.template.spec?.volumes).toEqual([
      { name: mount?.name, configMap: { name: configMapGenerator[0]?.name } },
    ]);
  });

  test("each mount has its volume", () => {
    const { containers, initContainers = [], volumes = [] } = servers.spec?.template.spec ?? { containers: [] };
    const claims = servers.spec?.volumeClaimTemplates?.map(({ metadata }) => metadata?.name) ?? [];
    const names = [...volumes.map(({ name }) => name), ...claims];
    for (const { volumeMounts = [] } of [...containers, ...initContainers])
      for (const { name } of volumeMounts) expect(names).toContain(name);
  });
});

describe("the manifests fit the server", () => {
  test("its options exist, and are read as they stand there", async () => {
    const begin = [...dockerfile.matchAll(/^ENTRYPOINT (.+)$/gm)].flatMap(
      ([, words = ""]) => JSON.parse(words) as string[],
    );
    expect(begin.slice(1, 2)).toEqual(["serve"]);
    const byDefault = [...dockerfile.matchAll(/^CMD (.+)$/gm)].flatMap(
      ([, words = ""]) => JSON.parse(words) as string[],
    );
    const { args = [] } = containerOf(servers);
    expect(await optionsOf([...begin.slice(1), ...args])).toMatchObject({
      host: "0.0.0.0",
      baseUrl: "http://centavo.example",
      allowHost: ["centavo"],
      tokenFile: "/run/centavo/control-token",
      port: containerPort(servers),
    });
    expect(await optionsOf([...begin.slice(1), ...byDefault])).toMatchObject({
      port: Number(/^EXPOSE (\d+)$/m.exec(dockerfile)?.[1]),
    });
    await expect(optionsOf(["serve", "--alow-host", "centavo"])).rejects.toThrow("unknown option '--alow-host'");
  });

  test("the server's files lie in volumes that outlive the pod, or are its own", async () => {
    const { args = [], volumeMounts = [] } = containerOf(servers);
    const { state, tokenFile } = await optionsOf(["serve", ...args]);
    const volumeOf = (path: unknown): string | undefined =>
      volumeMounts.find(({ mountPath }) => String(path).startsWith(`${mountPath}/`))?.name;
    expect(servers.spec?.volumeClaimTemplates?.map(({ metadata }) => metadata?.name)).toEqual([volumeOf(state)]);
    const [init] = servers.spec?.template.spec?.initContainers ?? [];
    expect(init?.command).toEqual(["install", "-m", "600", expect.any(String), tokenFile]);
    expect(init?.volumeMounts?.map(({ name }) => name)).toContain(volumeOf(tokenFile));
  });

  test("the host names of its clients are allowed", async () => {
    const { baseUrl, allowHost } = await optionsOf(["serve", ...(containerOf(servers).args ?? [])]);
    const rules = (manifests.find(({ kind }) => kind === "Ingress") as { spec?: { rules: { host: string }[] } }).spec
      ?.rules;
    expect(rules?.map(({ host }) => host)).toEqual([new URL(String(baseUrl)).host]);
    expect(allowHost).toEqual([services.at(-1)?.metadata?.name]);
  });

  test("its probes answer without a token, under any host", async () => {
    const server = await served();
    const { startupProbe, readinessProbe, livenessProbe } = containerOf(servers);
    const probes = [startupProbe, readinessProbe, livenessProbe].map((probe: IProbe | undefined) => probe?.httpGet);
    // A server that restores its worlds or stops is not ready, and must not be killed for it.
    expect(probes.map((probe) => probe?.path)).toEqual(["/_centavo/ready", "/_centavo/ready", "/_centavo/health"]);
    for (const probe of probes) {
      expect(probe?.port).toBe("http");
      expect(await rawStatus(server, `GET ${probe?.path} HTTP/1.1`, "Host: 10.1.2.3:4010")).toBe(200);
    }
  });

  test("a pod has more time to stop than the server takes", () => {
    expect(servers.spec?.template.spec?.terminationGracePeriodSeconds).toBeGreaterThan(10);
  });
});

type Workload = StatefulSet | Deployment;
type Container = NonNullable<NonNullable<Workload["spec"]>["template"]["spec"]>["containers"][number];

function containerOf({ spec }: Workload): Container {
  const [container] = spec?.template.spec?.containers ?? [];
  if (container === undefined) throw new Error("The workload has no container.");
  return container;
}

function containerPort(workload: Workload): number | undefined {
  return containerOf(workload).ports?.find(({ name }) => name === "http")?.containerPort;
}

/** Returns the options that the command reads from these words. */
async function optionsOf(words: readonly string[]): Promise<Readonly<Record<string, unknown>>> {
  let found: Readonly<Record<string, unknown>> = {};
  const program = createProgram({
    output: { print: () => undefined, printError: () => undefined, colours: false },
    directory: folder,
    exit: () => undefined,
    end: () => undefined,
    stopped: () => Promise.resolve(2),
  });
  const serve = program.commands.find((command) => command.name() === "serve");
  for (const command of [program, serve]) command?.exitOverride().configureOutput({ writeErr: () => undefined });
  serve?.action((options: Readonly<Record<string, unknown>>) => void (found = options));
  await program.parseAsync([...words], { from: "user" });
  return found;
}
