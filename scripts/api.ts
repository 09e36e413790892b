/** `npm run api` writes the public declarations of the built entries to `api/`, so that a review sees what changes in them. */
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { apiReports, reportFolder } from "./api-report.ts";

rmSync(reportFolder, { recursive: true, force: true });
mkdirSync(reportFolder);
for (const [name, text] of apiReports()) writeFileSync(join(reportFolder, name), text);
