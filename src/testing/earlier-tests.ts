import { keepNewest } from "../kit/engine/newest.ts";
import { createSimulator } from "../report/create-simulator.ts";
import type { SimulatorOptions } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";

type Token = Parameters<Simulator["keepTokens"]>[0][number];

/** The tokens of earlier tests, by access token. */
const tokens = new Map<string, Token>();
/** The credentials of each seed. Its tests share them, unless they run at the same time. */
const credentialsOfSeeds = new Map<string, Simulator["credentials"]>();
/** The maximum number of tokens, and of seeds, to remember. */
const MOST_TOKENS = 1000;
const MOST_SEEDS = 1000;

export function earlierTokens(): readonly Token[] {
  return [...tokens.values()];
}

/** Keeps the tokens of a test for those after it. */
export function rememberTokens(sim: Simulator): void {
  for (const token of sim.internals.parts.auth.issuedTokens()) tokens.set(token.accessToken, token);
  keepNewest(tokens, MOST_TOKENS);
}

/**
 * Sequential tests with the same seed share credentials, because a shop may read them once for all its tests. Credentials depend only on
 * the seed, so forgotten ones are made again.
 */
export function credentialsOf({ seed = 1 }: SimulatorOptions): Simulator["credentials"] {
  const name = String(seed);
  const known = credentialsOfSeeds.get(name) ?? createSimulator({ seed }).credentials;
  keepNewest(credentialsOfSeeds.set(name, known), MOST_SEEDS);
  return known;
}
