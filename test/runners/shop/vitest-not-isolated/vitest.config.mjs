import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";

/** Runs the files in the order of their names, one after the other in one process. */
class ByName extends BaseSequencer {
  sort(files) {
    return files.toSorted((left, right) => left.moduleId.localeCompare(right.moduleId));
  }
}

export default defineConfig({ test: { isolate: false, maxWorkers: 1, sequence: { sequencer: ByName } } });
