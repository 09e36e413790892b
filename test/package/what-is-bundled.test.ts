import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import manifest from "../../package.json" with { type: "json" };

const root = join(import.meta.dirname, "../..");

test("a package that the build holds is a dependency beside it only if the declarations name it", () => {
  const licenses = readFileSync(join(root, "dist/esm/licenses.md"), "utf8");
  const bundled = [...licenses.matchAll(/^# (@?[a-z][\w/-]*)$/gm)].map(([, name = ""]) => name);
  expect(bundled).toEqual(expect.arrayContaining(["hono", "xstate", "zod"]));
  const declarations = globSync("dist/**/*.d.ts", { cwd: root }).map((file) => readFileSync(join(root, file), "utf8"));
  const named = bundled.filter((name) => declarations.some((text) => new RegExp(`from ['"]${name}['"/]`).test(text)));
  expect(Object.keys(manifest.dependencies).filter((name) => bundled.includes(name))).toEqual(named);
});
