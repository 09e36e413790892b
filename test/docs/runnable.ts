/** Returns an example so that it runs inside a test, also where it is a test itself. */
export function runnable(code: string): string {
  const here = code.replaceAll('nextApp("app"', 'nextApp("test/beside/frameworks/next/app"');
  if (!here.includes('from "vitest"')) return here;
  // vitest takes no test inside a test, so the same parts come from the function for other runners.
  if (here.includes("withSimulator(base"))
    return here
      .replace(
        'import { withSimulator } from "centavo/vitest"',
        'import "centavo/vitest"; import { simulated } from "centavo/testing"',
      )
      .replace("import { expect, test as base }", "import { expect }")
      .replace(
        /withSimulator\(base(?:, (.*?))?\);$/ms,
        (_call, options = "{}") => `(_name: string, run: never) => simulated(${options}, run)();`,
      )
      .replaceAll(/^test\(/gm, "await test(");
  const inner = here
    .replace(/import \{ expect, test \} from "vitest";\n/, 'import { expect } from "vitest";\n')
    .replace(/^test\((?:"[^"]*"|story\.title), /m, "await (");
  return inner.replace(/\}\);\n$/, "})();\n");
}
