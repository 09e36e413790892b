import { createSimulator } from "../../../src/index.ts";
import { inspect } from "../../../src/server.ts";

/** Inspects simulators as a script does, and prints what it gets as JSON. */
const [first, second, third] = [1, 2, 3].map((seed) => createSimulator({ seed })) as [Sim, Sim, Sim];
type Sim = ReturnType<typeof createSimulator>;

await first.clock.advance("1 day");
const one = await inspect(first, { title: "a renewal" });
const other = await inspect(second);
const again = await inspect(first);
await second.clock.advance("2 days");
await one.close();
await one.close();
await first.clock.advance("1 year");
{
  await using _ = await inspect(third, { title: "ends with its block" });
}
await third.clock.advance("1 year");
await inspect(first, { title: "is shown again" });
process.stdout.write(JSON.stringify([one.url, other.url, again.url]));
await Promise.all([second.close(), first.close()]);
