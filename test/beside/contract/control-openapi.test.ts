import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "../../..");
const redocly = join(root, "test/beside/node_modules/@redocly/cli/bin/cli.js");
const offline = { REDOCLY_TELEMETRY: "off", REDOCLY_SUPPRESS_UPDATE_NOTICE: "true", CI: "true" };

test("the OpenAPI document of the control API passes Redocly's recommended rules", async () => {
  const options = { cwd: root, env: { ...process.env, ...offline } };
  const lint = [redocly, "lint", "docs/reference/control-openapi.json", "--extends", "recommended", "--format", "json"];
  const { stdout } = await promisify(execFile)(process.execPath, lint, options);
  expect(JSON.parse(stdout)).toMatchObject({ problems: [] });
});
