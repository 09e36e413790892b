import { commandLine } from "../report/causes/commands.ts";
import type { Way } from "../scenario/ways.ts";
import type { MerchantOptions } from "./merchant-options.ts";
import type { ListedStory } from "./story-files.ts";

/** The options of a run that affect how a story goes. */
export interface RerunOptions extends Omit<MerchantOptions, "credentials" | "wait"> {
  /** The file of the credentials; credentials in place of it are not repeated, because they are secret. */
  readonly credentials?: string;
  readonly way?: Way;
  readonly seed?: string;
  readonly assumptions?: string;
  readonly digests?: string;
}

/**
 * Returns the command that runs one story again with the same options, from the same folder. It names the story only if its file contains
 * several.
 */
export function rerunCommand({ name, path }: ListedStory, options: RerunOptions): string {
  const { way = "intercept", seed, assumptions, digests } = options;
  const words = ["npx", "centavo", "run", path];
  if (name.includes("/")) words.push(name);
  if (way !== "intercept") words.push("--way", way);
  const { merchant, port, host, baseUrl, credentials, webhookPath } = options;
  const ofMerchant = { merchant, port, host, "base-url": baseUrl, credentials, "webhook-path": webhookPath };
  for (const [option, value] of Object.entries(ofMerchant))
    if (value !== undefined) words.push(`--${option}`, String(value).trimStart().startsWith("{") ? "…" : String(value));
  if (seed !== undefined) words.push("--seed", seed);
  if (assumptions !== undefined) words.push("--assumptions", assumptions);
  if (seed === undefined && assumptions === undefined && digests !== undefined) words.push("--digests", digests);
  return commandLine(words);
}
