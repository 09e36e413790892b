import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { Finding } from "../../src/doctor/finding.ts";

const main = join(import.meta.dirname, "../../src/cli/main.ts");
const suite = (name: string): string => join(import.meta.dirname, "suites", `${name}.ts`);

interface Document {
  readonly exitCode: number;
  readonly findings: readonly Finding[];
  readonly command: { readonly exitCode: number | null; readonly signal: string | null };
}

/** Lets the doctor run a command, and returns what it found, without what the set-up alone tells. */
function doctor(...command: readonly string[]): Document & { readonly errors: string } {
  const { stdout, stderr } = spawnSync(process.execPath, [main, "doctor", "--json", "--port", "0", "--", ...command], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
  });
  const document = JSON.parse(stdout) as Document;
  const { findings = [] } = document as Partial<Document>;
  return {
    ...document,
    findings: findings.slice(findings.findIndex(({ check }) => check === "command")),
    errors: stderr,
  };
}

const textsOf = ({ findings }: Document, status: Finding["status"]): string[] =>
  findings.filter((finding) => finding.status === status).map(({ text }) => text);

test("a suite in which all is right has green lines alone", () => {
  const document = doctor(process.execPath, suite("healthy"));
  expect(textsOf(document, "wrong")).toEqual([]);
  expect(textsOf(document, "right")).toEqual([
    expect.stringMatching(/healthy\.ts exited with 0\.$/),
    "https://api.healthy.example was called.",
    "No call left for another host.",
    "https://shop.example/hooks accepted events.",
    "Every call got an answer.",
  ]);
});

test("a base URL that nobody calls is told, with what was called instead", () => {
  const document = doctor(process.execPath, suite("wrong-base-url"));
  expect(document.findings).toContainEqual({
    check: "base-url",
    status: "wrong",
    text: "Nobody called the base URL https://api.expected.example.",
    cause: "Your app called POST https://api.old.example/oauth instead, which the service has.",
    wayOut:
      'Set the base URL of your app to https://api.expected.example, or give createSimulator({ baseUrl: "https://api.old.example" }).',
  });
});

test("a suite that pays nothing and fails is told, with its exit code", () => {
  const document = doctor(process.execPath, suite("never-called"));
  expect(document.command).toEqual({ words: [process.execPath, suite("never-called")], exitCode: 7, signal: null });
  expect(textsOf(document, "wrong")).toEqual([
    expect.stringMatching(/never-called\.ts exited with 7\.$/),
    "Nobody called the base URL https://api.idle.example.",
  ]);
});

test("a secret that does not match is told, with what verifyWebhook says", () => {
  const { findings } = doctor(process.execPath, suite("wrong-secret"));
  expect(findings).toContainEqual({
    check: "webhook-secret",
    status: "wrong",
    text: expect.stringMatching(/^https:\/\/shop\.example\/hooks refused every event with 401, such as /) as string,
    cause: expect.stringContaining("verifyWebhook says: verifyWebhook: ") as string,
    wayOut: expect.stringContaining("sim.credentials.webhookSecret") as string,
  });
});

test("calls that left, or wanted to, are told by their hosts, without queries, also from threads and killed processes", () => {
  const document = doctor(process.execPath, suite("other-hosts"));
  expect(textsOf(document, "wrong")).toEqual(
    expect.arrayContaining([
      "A call left for let-out.invalid, which is not simulated.",
      "A call left for from-a-thread.invalid, which is not simulated.",
      "Centavo refused calls to https://telemetry.example, such as GET https://telemetry.example/v1.",
      "Nobody called the base URL https://api.thread.example.",
    ]),
  );
  expect(document.command).toMatchObject({ exitCode: null, signal: "SIGKILL" });
  expect(JSON.stringify(document)).not.toContain("secret");
});

test("a call that hangs is told", () => {
  const document = doctor(process.execPath, suite("hangs"));
  expect(textsOf(document, "wrong")).toEqual([
    expect.stringMatching(/^GET http:\/\/127\.0\.0\.1:\d+\/slow got no answer\.$/),
  ]);
});

test("a command that opens no simulator is told", () => {
  const document = doctor(process.execPath, "-e", "console.log('to standard error')");
  expect(textsOf(document, "wrong")).toEqual(["The command opened no simulator."]);
  expect(document.errors).toBe("to standard error\n");
});

test("a command that does not exist could not run", () => {
  const { exitCode, problem } = doctor("no-such-command") as unknown as { exitCode: number; problem: string };
  expect(problem).toBe(
    "centavo doctor cannot start no-such-command: ENOENT. Write the command as in a shell, behind two dashes: centavo doctor -- npx vitest run",
  );
  expect(exitCode).toBe(2);
});

test("an interrupt ends every process of the command, tells what was seen, and exits with 130", async () => {
  const child = spawn(process.execPath, [main, "doctor", "--port", "0", "--", process.execPath, suite("endless")], {
    cwd: join(import.meta.dirname, "../.."),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let printed = "";
  child.stdout.on("data", (text: Buffer) => (printed += text.toString()));
  await once(child.stderr, "data");
  child.kill("SIGINT");
  // Its output is closed once the last process that has it is gone, which ignores SIGTERM.
  const [code] = (await once(child, "close")) as [number];
  expect(code).toBe(130);
  expect(printed).toContain("because you interrupted it.");
  expect(printed).toContain("Nobody called the base URL https://api.pay.example.");
});
