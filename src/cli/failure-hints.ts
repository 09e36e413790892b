import type { Scenario } from "../scenario/scenario.ts";
import type { Way } from "../scenario/ways.ts";
import type { FoundStory } from "./story-files.ts";

/** The options of a run that decide how a story goes. */
export interface RerunOptions {
  readonly way?: Way;
  readonly seed?: string;
  readonly assumptions?: string;
  readonly digests?: string;
}

const DEFAULT_BASE_URL = "https://api.pay.example";

/** Returns the command that runs one story again with the same options, from the same folder. It names the story if its file has several. */
export function rerunCommand({ name, path }: FoundStory, options: RerunOptions): string {
  const { way = "intercept", seed, assumptions, digests } = options;
  const words = ["npx", "centavo", "run", path];
  if (name.includes("/")) words.push(name);
  if (way !== "intercept") words.push("--way", way);
  if (seed !== undefined) words.push("--seed", seed);
  if (assumptions !== undefined) words.push("--assumptions", assumptions);
  if (seed === undefined && assumptions === undefined && digests !== undefined) words.push("--digests", digests);
  return words.map(quoted).join(" ");
}

/**
 * Explains what to do when the merchant's code called the service's own host, which only interception answers.
 * @param output the story's error message and timeline
 */
export function unreachableHint({ options }: Scenario, way: Way | undefined, output: string): string | undefined {
  if (way === undefined || way === "intercept") return undefined;
  const { baseUrl = DEFAULT_BASE_URL, authUrl = baseUrl } = options;
  const hosts = [baseUrl, authUrl].map((url) => new URL(url).hostname);
  const missed = hosts.find((host) => output.includes(`ENOTFOUND ${host}`) || output.includes(`EAI_AGAIN ${host}`));
  if (missed === undefined) return undefined;
  const needs = way === "memory" ? "stage.merchant, including its fetch" : "stage.merchant (baseUrl and authUrl)";
  return `The shop called ${missed} on the real network, because --way ${way} does not intercept requests. Configure the shop with ${needs}, or run the story with --way intercept.`;
}

/** Returns the command that replays a recording, without the story and its shop. */
export function replayCommand(recording: string): string {
  return ["npx", "centavo", "replay", recording].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
