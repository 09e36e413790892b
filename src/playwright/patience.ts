import { expect } from "@playwright/test";

/** How one look ended. */
export interface Look<Result> {
  readonly result: Result;
  readonly isEnough: boolean;
}

/**
 * Looks again and again until what it sees is enough.
 * @param timeout in milliseconds
 * @returns what it saw last
 */
export async function lookUntil<Result>(
  look: () => Promise<Look<Result>> | Look<Result>,
  timeout: number,
): Promise<Result> {
  let last = await look();
  if (last.isEnough || timeout <= 0) return last.result;
  const again = expect(async () => {
    last = await look();
    expect(last.isEnough).toBe(true);
  });
  await again.toPass({ timeout }).catch(() => undefined);
  return last.result;
}
