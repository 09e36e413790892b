import { mkdirSync, mkdtempSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createSimulator, replay, type Recording } from "centavo";
import { expect, test } from "vitest";
import { centavo } from "./commands.ts";

function temporaryFolder(): string {
  return mkdtempSync(join(tmpdir(), "centavo-"));
}

test("run --record writes each story's recording, and a failing one prints the command that replays it", async () => {
  const folder = join(temporaryFolder(), "made", "on the way");
  const { code, text } = await centavo("run", "stories", "--quiet", "--record", folder);
  expect(code).toBe(1);
  expect(readdirSync(folder).toSorted()).toEqual(["fails.json", "passes.json"]);
  expect(text).toContain(`Replay what happened with: npx centavo replay '${folder}/fails.json'`);
  expect(text).not.toContain("passes.json");
  const recording = JSON.parse(readFileSync(join(folder, "fails.json"), "utf8")) as Recording;
  expect((await replay(recording)).journal.digest()).toBe(recording.digest);
});

test("stories of the same name in different folders keep a recording each", async () => {
  const [stories, folder] = [temporaryFolder(), temporaryFolder()];
  const story = (amount: number): string =>
    `export default { title: "Pays", options: {}, script: async ({ client }) => { await client.paymentIntents.create({ amount: ${amount} }); } };`;
  const files = { "one/same.mjs": 100, "two/same.mjs": 200, "two/other.mjs": 300 };
  for (const [name, amount] of Object.entries(files)) {
    mkdirSync(join(stories, dirname(name)), { recursive: true });
    writeFileSync(join(stories, name), story(amount));
  }
  expect((await centavo("run", stories, "--way", "memory", "--record", folder)).text).toContain(
    "3 of 3 stories passed",
  );
  const recordings = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter((name) =>
    name.endsWith(".json"),
  );
  expect(recordings).toHaveLength(3);
  expect(recordings).toContain("other.json");
  for (const [name, amount] of Object.entries(files)) {
    const file = recordings.find((each) =>
      `/${each}`.endsWith(name.includes("same") ? `/${name.replace("mjs", "json")}` : "/other.json"),
    );
    expect(readFileSync(join(folder, file ?? ""), "utf8")).toContain(String.raw`\"amount\":${amount}`);
  }
});

test("--record refuses a path that is not a folder before a story runs, and the exit code is 2", async () => {
  const file = join(temporaryFolder(), "a-file");
  writeFileSync(file, "");
  expect(await centavo("run", "stories/passes.ts", "--record", file)).toEqual({
    code: 2,
    text: `--record takes a folder, and ${file} is a file. Name another one.`,
  });
  expect(await centavo("run", "stories/passes.ts", "--record", join(file, "below"))).toMatchObject({
    code: 2,
    text: expect.stringContaining("cannot be created: ENOTDIR") as string,
  });
});

test("replay of a folder names the recordings in it, and of a missing file the nearest", async () => {
  const folder = temporaryFolder();
  await centavo("run", "stories/passes.ts", "--record", folder);
  expect(await centavo("replay", folder)).toEqual({
    code: 2,
    text: `${folder} cannot be replayed: it is a folder; name one recording. It holds passes.json.`,
  });
  const missing = join(folder, "pases.json");
  expect(await centavo("replay", missing)).toEqual({
    code: 2,
    text: `${missing} cannot be replayed: there is no such file. The nearest is ${join(folder, "passes.json")}.`,
  });
});

test("the seed of a run is in its recording", async () => {
  const folder = temporaryFolder();
  await centavo("run", "stories/passes.ts", "--record", folder, "--seed", "other");
  expect(JSON.parse(readFileSync(join(folder, "passes.json"), "utf8"))).toMatchObject({ options: { seed: "other" } });
  expect((await centavo("replay", join(folder, "passes.json"))).code).toBe(0);
});

test("replay prints the timeline, says that it is the same run, and the exit code is 0", async () => {
  const folder = temporaryFolder();
  await centavo("run", "stories/passes.ts", "--record", folder);
  const file = join(folder, "passes.json");
  const { code, text } = await centavo("replay", file);
  const { digest } = JSON.parse(readFileSync(file, "utf8")) as Recording;
  expect(code).toBe(0);
  expect(text).toMatch(/2026-01-01 00:00:00 {2}merchant {2}POST \/oauth[^]*→ succeeded/);
  expect(text).toContain(`the same run, digest ${digest.slice(0, 12)}`);
  expect((await centavo("replay", file, "--quiet")).text).toBe(`the same run, digest ${digest.slice(0, 12)}`);
});

test("replay of a run that goes another way prints it as far as it came, and the exit code is 1", async () => {
  const folder = temporaryFolder();
  await centavo("run", "stories/passes.ts", "--record", folder);
  const file = join(folder, "passes.json");
  writeFileSync(file, readFileSync(file, "utf8").replace("pm_card_approved", "pm_card_unheard_of"));
  const { code, text } = await centavo("replay", file);
  expect(code).toBe(1);
  expect(text).toContain("pm_card_unheard_of");
  expect(text).toMatch(
    /inputs\[2\], POST \/api\/payment-intent\/pi_\w+\/confirm at 2026-01-01T00:00:00.000Z: it answers 400/,
  );
});

test.for([
  ["missing.json", "missing.json cannot be replayed: there is no such file."],
  ["stories/passes.ts", "stories/passes.ts cannot be replayed: Unexpected token"],
  ["../scenarios/digests.json", "this is not a recording that sim.recording() of this version of Centavo returned"],
] as const)("replay of %s is refused, and the exit code is 2", async ([file, why]) => {
  const { code, text } = await centavo("replay", file);
  expect(text).toContain(why);
  expect(code).toBe(2);
});

test("a recording that was shortened says so, and is replayed from its start", async () => {
  const sim = createSimulator({ keep: 5 });
  for (let count = 0; count < 12; count += 1) await sim.fetch("/nowhere");
  const file = join(temporaryFolder(), "run.json");
  writeFileSync(file, JSON.stringify(sim.recording()));
  const { code, text } = await centavo("replay", file);
  expect(text).toContain("the recording is shortened: it leaves out 5 earlier inputs\nthe same run, digest");
  expect(code).toBe(0);
});
