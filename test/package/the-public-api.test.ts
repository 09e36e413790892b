import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { apiReports, reportFolder } from "../../scripts/api-report.ts";

const reports = apiReports();

test.for([...reports])(
  "api/%s says what the build declares; if the change was meant, run npm run api",
  ([name, text]) => {
    const path = join(reportFolder, name);
    expect(existsSync(path) ? readFileSync(path, "utf8") : "").toBe(text);
  },
);

test("there is no report of an entry that is gone", () => {
  expect(readdirSync(reportFolder).toSorted()).toEqual([...reports.keys()].toSorted());
});

test("a report has what an entry exports, without comments", () => {
  const core = reports.get("index.md");
  expect(core).toMatch(/\nclass CentavoError [^]*\ntype Simulator [^]*\nclass PaymentSimulator /);
  expect(core).not.toContain("/**");
  expect(reports.get("client.md")).toContain("\nfunction createClient(");
});
