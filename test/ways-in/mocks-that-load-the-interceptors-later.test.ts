import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "vitest";

const from = (path: string): string => JSON.stringify(new URL(path, import.meta.url).href);

/** A process of its own, because this one has loaded the interceptors. */
async function outputOf(listen: string): Promise<string> {
  const program = `
    import dns from "node:dns";
    import https from "node:https";
    import { createSimulator } from ${from("../../src/index.ts")};
    import { intercept } from ${from("../../src/node.ts")};
    dns.lookup = (host, _options, done) => done(new Error(host + " was looked up"));
    const address = "https://api.pay.example/.well-known/jwks.json";
    const status = () => new Promise((resolve) =>
      https.get(address, (response) => resolve(response.resume().statusCode)).on("error", ({ message }) => resolve(message)));
    const network = intercept(createSimulator({ baseUrl: "https://api.pay.example" }));
    ${listen}
    console.log(await status(), await status());`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: import.meta.dirname,
  });
  return stdout;
}

test.for([
  ["MSW", `(await import("msw/node")).setupServer().listen({ onUnhandledFrame: "bypass" });`],
  [
    "the library itself",
    `const { HttpRequestInterceptor } = await import("@mswjs/interceptors/http");
     new HttpRequestInterceptor().apply();`,
  ],
] as const)("the first call stays in the test when %s patches sockets after intercept()", async ([, listen]) => {
  expect(await outputOf(listen)).toBe("200 200\n");
});
