import { inspectRun } from "./hub.ts";

/** The program of a run's inspector: `main FOLDER PID`. A test's process starts it. */
const [folder = "", root = ""] = process.argv.slice(2);
const { CI = "" } = process.env;
await inspectRun({ folder, root: Number(root), isCi: !["", "0", "false"].includes(CI) });
