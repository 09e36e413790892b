import { registerHooks } from "node:module";

/** Runs a simulated test, and prints which files of the inspector were loaded with it. */
const loaded: string[] = [];
registerHooks({
  load: (url, context, next) => {
    loaded.push(url);
    return next(url, context);
  },
});
const { simulated } = await import("../../../src/testing.ts");
await simulated({ name: "a renewal" }, async ({ sim }) => sim.clock.advance("1 month"))();
const files = loaded.flatMap((url) => /\/src\/(?:inspected|server)\/(.*)$/.exec(url)?.[1] ?? []);
process.stdout.write(JSON.stringify(files));
