import { belowThresholds, readThresholds } from "../../report/coverage/thresholds.ts";
import type { Thresholds } from "../../report/coverage/thresholds.ts";
import { readOnly } from "../../report/coverage/scope.ts";
import type { CoverageScope } from "../../simulator/coverage-result.ts";
import { coverageOfSeen } from "../../report/coverage/of-seen.ts";
import { COVERAGE_EXTENSION, headerLine, joinFiles, linesOf } from "../../report/coverage/file.ts";
import { checkRules } from "../../adapters/host-rules.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";
import { refuseUnknownOptions } from "../../kit/base/errors/unknown-options.ts";
import {
  absolutePath,
  isThere,
  removeFile,
  resolveFrom,
  threadName,
  writeTextFile,
} from "../../kit/base/runtime/files.ts";
import { version } from "../../kit/base/runtime/version.ts";
import { inIgnoredFolder } from "../own-folder.ts";
import { runOfProcess } from "../shake/run-folder.ts";
import { ALLOWED_VARIABLE } from "../allowed-hosts.ts";
import { COVERAGE_FOLDER, coverageFilesIn, FOLDER_VARIABLE, readCoverageFiles, RUN_VARIABLE } from "./folder.ts";

export interface CoverageReporterOptions extends CoverageScope {
  /** How much of each part the run must see, in percent, in order to pass. */
  readonly thresholds?: Thresholds;
  /**
   * Where to write, relative to the working directory; `.centavo/coverage` by default. Give each shard on one machine a folder of its own.
   */
  readonly folder?: string;
  /** Whether to print the table; true by default. */
  readonly print?: boolean;
  /**
   * Whether each process of the run imports `centavo/no-network` first, so that no call leaves it; false by default. A list names the URLs
   * that stay reachable.
   */
  readonly blockNetwork?: boolean | readonly string[];
}

const OPTIONS = ["only", "thresholds", "folder", "print", "blockNetwork"] as const;

/** A test run whose processes collect coverage. */
export class WatchedRun {
  readonly #thresholds: Thresholds;
  readonly #scope: CoverageScope;
  readonly #folder: string;
  readonly #prints: boolean;
  readonly #blocksNetwork: boolean;
  readonly #allowed: readonly string[];
  /** Which run of a shake it is; undefined in any other suite. */
  readonly #shaken = runOfProcess()?.number;

  /**
   * @param reporter the reporter's name, for messages
   * @throws {CentavoError} `INVALID_OPTION`
   */
  constructor(reporter: string, options: CoverageReporterOptions = {}) {
    refuseUnknownOptions(reporter, options, OPTIONS);
    const { only, thresholds = {}, folder = COVERAGE_FOLDER, print = true, blockNetwork = false } = options;
    if (typeof folder !== "string" || folder === "")
      throw new CentavoError(
        "INVALID_OPTION",
        `${reporter}: folder is ${inWords(folder)}. It takes the name of a folder.`,
      );
    this.#thresholds = readThresholds(`${reporter}: thresholds`, thresholds);
    this.#scope = only === undefined ? {} : { only: readOnly(`${reporter}: only`, only) };
    this.#folder = absolutePath(folder);
    this.#prints = print;
    this.#allowed = typeof blockNetwork === "boolean" ? [] : blockNetwork;
    checkRules(`${reporter}: blockNetwork`, { allow: this.#allowed }, []);
    this.#blocksNetwork = blockNetwork !== false;
  }

  /**
   * Removes what earlier runs have written, and tells later processes where to write, and which hosts are allowed.
   * @returns the paths of the modules to import, in this order
   */
  begin(): readonly string[] {
    const place = this.#folder;
    const isNew = !isThere(place);
    this.clear();
    if (isNew) inIgnoredFolder(place, () => writeTextFile(`${place}/.gitignore`, "*\n"));
    const { env } = globalThis.process;
    env[FOLDER_VARIABLE] = place;
    // What each run of a shake leaves is complete, however it ended, because the files stay.
    if (this.#shaken === undefined) env[RUN_VARIABLE] = `${threadName()}-${Date.now()}`;
    env[ALLOWED_VARIABLE] = JSON.stringify(this.#allowed);
    const modules = [...(this.#blocksNetwork ? ["centavo/no-network"] : []), "centavo/coverage-collector"];
    return modules.map((name) => resolveFrom(import.meta.dirname, name) ?? name);
  }

  clear(): void {
    if (this.#shaken !== undefined && this.#shaken > 0) return;
    for (const path of coverageFilesIn(this.#folder)) removeFile(path);
  }

  /**
   * Merges what the processes have written into one file, and prints it. In a suite that `centavo shake` runs, the files stay
   * for `centavo coverage`, which joins those of all runs.
   * @param isFiltered whether only some tests were selected; thresholds are then ignored
   * @returns why the run fails, one reason per line; undefined when it passes
   */
  end(isFiltered: boolean): string | undefined {
    if (this.#shaken !== undefined) return undefined;
    try {
      const paths = coverageFilesIn(this.#folder);
      const seen = joinFiles(readCoverageFiles(paths), version());
      const coverage = coverageOfSeen(seen, this.#scope);
      const run = globalThis.process.env[RUN_VARIABLE] ?? "";
      writeTextFile(
        `${this.#folder}/all${COVERAGE_EXTENSION}`,
        headerLine({ centavo: version(), run, ended: true }) + linesOf(seen.all),
      );
      for (const path of paths) removeFile(path);
      const below = belowThresholds(coverage, this.#thresholds);
      if (this.#prints) console.log(`\nCentavo: what of the service this run went through\n\n${String(coverage)}\n`);
      if (below.length === 0) return undefined;
      if (!isFiltered) return below.join("\n");
      console.log("Centavo: only some of the tests ran, so thresholds do not count.");
      return undefined;
    } catch (error) {
      return `Centavo could not work out the coverage of this run: ${messageOf(error)}`;
    }
  }
}
