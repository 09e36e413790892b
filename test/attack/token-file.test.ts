import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { fork } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createSimulator } from "centavo";
import { serve } from "centavo/server";
import { beforeEach, describe, expect, onTestFinished, test } from "vitest";
import { served, worlds } from "../server/served.ts";

let folder: string;
let tokenFile: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "centavo-token-"));
  tokenFile = join(folder, "token");
  onTestFinished(() => rmSync(folder, { recursive: true }));
});

test("the file is made, for its owner alone, and holds the token", async () => {
  const server = await served({ tokenFile });
  expect(readFileSync(tokenFile, "utf8")).toBe(`${server.token}\n`);
  expect(statSync(tokenFile).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(["token"]);
});

test("a second server reads it, and the token opens both", async () => {
  const [one, other] = [await served({ tokenFile }), await served({ tokenFile })];
  expect(other.token).toBe(one.token);
  expect((await worlds({ url: other.url, token: one.token }, "", "GET")).status).toBe(200);
});

test("a token that somebody wrote there is taken, also without a newline", async () => {
  writeFileSync(tokenFile, "a-token-of-the-team", { mode: 0o600 });
  expect((await served({ tokenFile })).token).toBe("a-token-of-the-team");
  expect(readFileSync(tokenFile, "utf8")).toBe("a-token-of-the-team");
});

test("a token that is given is written, and has to be the one in the file later", async () => {
  const given = { tokenFile, token: "a-token-of-the-team" };
  await served(given);
  expect((await served(given)).token).toBe("a-token-of-the-team");
  const refused = serve(createSimulator(), { tokenFile, token: "another-token-of-it" });
  await expect(refused).rejects.toThrow(/holds another token than the option token/);
  await expect(refused).rejects.not.toThrow(/of-the-team|of-it/);
});

describe("a file that is not safe is refused, and stays as it is", () => {
  async function refusal(): Promise<string> {
    const { code, message } = (await serve(createSimulator(), { tokenFile }).then(
      () => ({}),
      (error: unknown) => error,
    )) as { code?: string; message?: string };
    expect(code).toBe("INVALID_OPTION");
    expect(message).toContain(JSON.stringify(tokenFile));
    return message ?? "";
  }

  test.each([0o644, 0o640, 0o604, 0o620, 0o660, 0o601, 0o777])("mode %o", async (mode) => {
    writeFileSync(tokenFile, "a-token-of-the-team\n");
    chmodSync(tokenFile, mode);
    expect(await refusal()).toContain("can be reached by other users of this machine. Run chmod 600 on it");
    expect(await refusal()).not.toContain("a-token-of-the-team");
  });

  test.each([
    ["empty", "", "is empty"],
    ["of spaces", " \n", "is empty"],
    ["short", "guessable\n", "does not hold a token"],
    ["of two lines", "a-token-of-the-team\na-token-of-the-team\n", "does not hold a token"],
    ["of other characters", "ä-token-of-the-team!\n", "does not hold a token"],
    ["large", "a".repeat(100_000), "does not hold a token"],
  ])("%s", async (_what, content, words) => {
    writeFileSync(tokenFile, content, { mode: 0o600 });
    expect(await refusal()).toContain(words);
    expect(readFileSync(tokenFile, "utf8")).toBe(content);
  });

  test("a folder", async () => {
    mkdirSync(tokenFile);
    expect(await refusal()).toContain("is not a file");
  });

  test("a device that never ends", async () => {
    tokenFile = "/dev/zero";
    expect(await refusal()).toContain("is not a file");
  });

  test("a symbolic link, whether or not it leads somewhere", async () => {
    symlinkSync(join(folder, "elsewhere"), tokenFile);
    expect(await refusal()).toContain("is a symbolic link");
    writeFileSync(join(folder, "elsewhere"), "a-token-of-the-team\n", { mode: 0o600 });
    expect(await refusal()).toContain("is a symbolic link");
  });

  test("a file in a folder that is not there", async () => {
    tokenFile = join(folder, "nowhere", "token");
    expect(await refusal()).toContain("cannot be written: ENOENT");
  });
});

test.each(["", "short", "with a space in it", "a-token\r\nx-injected: yes", "a".repeat(513)])(
  "a token that no header can carry, or anybody can guess, is refused: %j",
  async (token) => {
    const refused = serve(createSimulator(), { token });
    await expect(refused).rejects.toThrow("serve: the option token takes 16 to 512 letters");
  },
);

test("of servers that start at once, one makes the file, and all have its token", async () => {
  const program = join(import.meta.dirname, "print-token.ts");
  const tokens = await Promise.all(
    Array.from({ length: 6 }, async () => {
      const child = fork(program, [tokenFile]);
      const [token] = (await once(child, "message")) as [string];
      return token;
    }),
  );
  expect(new Set(tokens)).toEqual(new Set([readFileSync(tokenFile, "utf8").trim()]));
  expect(readdirSync(folder)).toEqual(["token"]);
});

test("a server that is killed leaves nothing that hinders the next", async () => {
  const child = fork(join(import.meta.dirname, "print-token.ts"), [tokenFile, "stay"]);
  const [token] = (await once(child, "message")) as [string];
  child.kill("SIGKILL");
  await once(child, "exit");
  // As if it had been killed while it wrote.
  writeFileSync(`${tokenFile}.0123456789ab`, "half", { mode: 0o600 });
  expect((await served({ tokenFile })).token).toBe(token);
});
