import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { unreadableTypeScript } from "../../../src/cli/story-files.ts";
import { centavoIn } from "../../cli/commands.ts";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

const STORY = `import { scenario } from "centavo/scenario";
export default scenario("A card pays", () => undefined);
`;
const HANGING = `import { scenario } from "centavo/scenario";
export default scenario("Nothing comes", () => new Promise(() => undefined));
`;

/** Runs a command in a folder with these files, and returns what it prints. */
const printing =
  (args: readonly string[], files: Readonly<Record<string, string>> = {}): Cause =>
  async () => {
    const folder = newFolder();
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    }
    return (await centavoIn(folder, ...args)).text;
  };

const onATakenPort: Cause = async () => {
  const server = createServer();
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  try {
    const { text } = await centavoIn(newFolder(), "serve", "--port", String(port));
    return text;
  } finally {
    server.close();
  }
};

const anUnknownExtension = Object.assign(new TypeError('Unknown file extension ".ts" for /shop/scenarios/card.ts'), {
  code: "ERR_UNKNOWN_FILE_EXTENSION",
});

/** What goes wrong on the command line. */
export const commandCauses: Causes = {
  INVALID_OPTION: {
    "centavo run --record with a file": printing(["run", "--record", "notes.txt"], {
      "notes.txt": "",
      "scenarios/card.ts": STORY,
    }),
    "centavo run --update-digests without a file": printing(["run", "--update-digests"]),
    "centavo run --update-digests with a seed": printing(
      ["run", "--update-digests", "--digests", "digests.json", "--seed", "2"],
      { "scenarios/card.ts": STORY },
    ),
    "centavo run --update-digests with assumptions": printing(
      ["run", "--update-digests", "--digests", "digests.json", "--assumptions", "assumptions.json"],
      { "scenarios/card.ts": STORY, "assumptions.json": "{}" },
    ),
    "centavo serve at a port that is taken": onATakenPort,
  },
  INVALID_STATE: {
    "centavo run: a story that stands still": printing(["run", "--timeout", "0.2"], { "scenarios/still.ts": HANGING }),
    "centavo run: TypeScript in an older Node": () => {
      throw unreadableTypeScript(anUnknownExtension, "v22.17.0") ?? new Error("It is readable.");
    },
  },
  NOT_FOUND: {
    "centavo replay of a folder": printing(["replay", "recordings"], { "recordings/card.json": "{}" }),
    "centavo replay of a file that is not there": printing(["replay", "crad.json"], { "card.json": "{}" }),
    "centavo run of a file that is not there": printing(["run", "scenarios/card.ts"]),
    "centavo run without stories": printing(["run"]),
    "centavo run of a name without stories": printing(["run", "storys"], { "stories/card.ts": STORY }),
    "centavo run of a file without a story": printing(["run", "card.mjs"], { "card.mjs": "export const card = 1;" }),
    "centavo run of an unknown name": printing(["run", "crad"], { "scenarios/card.ts": STORY }),
  },
};
