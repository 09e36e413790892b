import type { TellingOfShake } from "../shake/reported-shake.ts";
import type { Turns } from "../shake/turns.ts";

/** What a shaken suite has to tell. */
export interface ShakenSuite {
  /** All of it, as plain data. */
  readonly told: object;
  /** The same in lines, the most important ones first. */
  readonly lines: readonly string[];
  /** Whether something was found that fails. */
  readonly isFailed: boolean;
  /** Returns it as a page, where one is asked for. */
  readonly page: (() => Promise<string>) | undefined;
}

/** What writes the page, where one is asked for. */
type PageWriter = typeof import("./shake-page.ts");

/**
 * One way in which a suite is shaken: with troubles, or under other answers. It resolves to undefined when the suite did not run.
 * @throws {CentavoError} `INVALID_OPTION` when there was nothing to try
 */
export type WayToShake = (
  turns: Pick<Turns<unknown>, "run" | "jobs" | "onPlan">,
  page: PageWriter | undefined,
) => Promise<((telling: TellingOfShake) => ShakenSuite) | undefined>;
