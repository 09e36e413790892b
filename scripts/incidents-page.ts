import { readFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./suites.ts";

/** Renders the guide's page of incidents, with the file of each story to which its prose links. */
export function incidentsPage(): string {
  const page = readFileSync(join(root, "docs/guide/incidents.md"), "utf8");
  const stories = [...page.matchAll(/\[`[\w-]+`\]\(#([\w-]+)\)/g)].map(([, name = ""]) => {
    const code = readFileSync(join(root, `scenarios/${name}.ts`), "utf8");
    return `### ${name}\n\n\`\`\`ts\n${code}\`\`\``;
  });
  return page.replace(/(?<=<!-- the stories: .*-->\n\n).*(?=\n\n<!-- end of the stories -->)/s, () =>
    stories.join("\n\n"),
  );
}
