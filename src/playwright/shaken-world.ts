import type { TestInfo } from "@playwright/test";
import type { WorldOptions } from "../server/hosted-worlds.ts";
import { SessionInShake } from "../testing/shake/session-in-shake.ts";
import { errorTold } from "./told-error.ts";
import type { World } from "./world.ts";

/** The world of a test in a suite that `centavo shake` runs. */
export interface ShakenWorld {
  /** Returns the options of the world, where the service behaves in another way during the whole test. */
  options(options: WorldOptions): WorldOptions;
  begin(world: World): void;
  /** Writes what the test passed. */
  end(): Promise<void>;
}

/** Returns undefined in a suite that is not shaken. */
export function shakenWorldOf(testInfo: TestInfo): ShakenWorld | undefined {
  const { titlePath, project, repeatEachIndex, file } = testInfo;
  const session = SessionInShake.of(() => ({
    title: titlePath.slice(1).join(" > "),
    file,
    ...(project.name === "" ? {} : { project: project.name }),
    ordinal: repeatEachIndex + 1,
  }));
  if (session === undefined) return undefined;
  return {
    options: (options) => {
      // A world in a server takes no limit for the answers of an app.
      const { receiverTimeout: _, ...shaken } = session.simulatorOptions(options);
      return shaken;
    },
    begin: ({ local, sim }) => session.begin(local, sim),
    async end() {
      const { status, expectedStatus, error, timeout } = testInfo;
      if (expectedStatus !== "passed" || status === "skipped") return session.end("left out");
      // The first error may be that of a call which the end of the test cut off.
      if (status === "timedOut") return session.end("failed", new Error(`Test timeout of ${timeout}ms exceeded.`));
      return status === "passed" ? session.end("passed") : session.end("failed", error && errorTold(error));
    },
  };
}
