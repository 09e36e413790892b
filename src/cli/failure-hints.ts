import type { Scenario } from "../scenario/scenario.ts";
import type { Way } from "../scenario/ways.ts";
import type { FoundStory } from "./story-files.ts";

/** What of a run's call decides how a story goes. */
export interface RerunOptions {
  readonly way?: Way;
  readonly seed?: string;
  readonly digests?: string;
}

const DEFAULT_BASE_URL = "https://api.pay.example";

/** The command that runs one story in the same way again, from the same folder. A file's other stories are left out by name. */
export function rerunCommand({ name, path }: FoundStory, { way = "intercept", seed, digests }: RerunOptions): string {
  const words = ["npx", "centavo", "run", path];
  if (name.includes("/")) words.push(name);
  if (way !== "intercept") words.push("--way", way);
  if (seed !== undefined) words.push("--seed", seed);
  else if (digests !== undefined) words.push("--digests", digests);
  return words.map(quoted).join(" ");
}

/**
 * What to do where the merchant's code looked for the service's own host, which only interception answers.
 * @param told everything that the story left: its failure's words and its timeline
 */
export function unreachableHint({ options }: Scenario, way: Way | undefined, told: string): string | undefined {
  if (way === undefined || way === "intercept") return undefined;
  const { baseUrl = DEFAULT_BASE_URL, authUrl = baseUrl } = options;
  const hosts = [baseUrl, authUrl].map((url) => new URL(url).hostname);
  const missed = hosts.find((host) => told.includes(`ENOTFOUND ${host}`) || told.includes(`EAI_AGAIN ${host}`));
  if (missed === undefined) return undefined;
  const needs = way === "memory" ? "stage.merchant, its fetch included" : "stage.merchant (baseUrl and authUrl)";
  return `The shop looked for ${missed} in the network: with --way ${way} nothing is intercepted. Configure the shop with ${needs}, or run the story with --way intercept.`;
}

/** The command that lives through a recorded run again, without the story and its shop. */
export function replayCommand(recording: string): string {
  return ["npx", "centavo", "replay", recording].map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
