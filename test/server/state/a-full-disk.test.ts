import { spawnSync } from "node:child_process";
import { createSimulator } from "centavo";
import { expect, test } from "vitest";
import { openState } from "../../../src/server/state/state.ts";
import { HOOKS } from "../../merchant/requests.ts";
import { newStateFile } from "./state-files.ts";

/** No file may have more blocks of 512 bytes than this. */
const MOST_BLOCKS = 400;

const program = `
  import { createSimulator } from ${JSON.stringify(new URL("../../../src/index.ts", import.meta.url).href)};
  import { openState } from ${JSON.stringify(new URL("../../../src/server/state/state.ts", import.meta.url).href)};
  const sim = createSimulator({ webhookUrl: ${JSON.stringify(HOOKS)} });
  openState(process.argv[1]).follow("shop", {}, sim);
  let sent = 0;
  sim.connect(${JSON.stringify(new URL(HOOKS).origin)}, () => new Response((sent += 1, "")));
  const { clientId: client_id, clientSecret: client_secret } = sim.credentials;
  const token = await sim.fetch("/oauth", { method: "POST", body: new URLSearchParams({ client_id, client_secret }) });
  const { access_token } = await token.json();
  const headers = { authorization: "Bearer " + access_token, "content-type": "application/json" };
  const call = (path, body) => sim.fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  const answered = [];
  let refused;
  while (refused === undefined) {
    const answer = await call("/api/payment-intent", { amount: 10_000, description: "x".repeat(200) });
    const body = await answer.json();
    if (answer.status === 200) answered.push(body.data.id);
    else refused = { status: answer.status, ...body };
  }
  const again = await call("/api/payment-intent/" + answered[0] + "/confirm", { paymentMethodId: "pm_card_approved" });
  await sim.clock.settle();
  console.log(JSON.stringify({ answered, refused, again: again.status, sent, failures: sim.webhooks.failures().map(({ message }) => message) }));`;

test("a call that a full disk cannot keep is not answered as if it were kept, its events are not sent, and what was answered is there", async () => {
  const path = newStateFile();
  const { stdout, stderr, status } = spawnSync(
    "sh",
    [
      "-c",
      `ulimit -f ${MOST_BLOCKS}; exec "$@"`,
      "sh",
      process.execPath,
      "--input-type=module",
      "--eval",
      program,
      path,
    ],
    { encoding: "utf8" },
  );
  expect({ stderr, status }).toEqual({ stderr: "", status: 0 });
  const { answered, ...rest } = JSON.parse(stdout) as { readonly answered: readonly string[] };
  expect(rest).toMatchObject({
    refused: {
      status: 503,
      code: "INTERNAL_ERROR",
      message: expect.stringMatching(/^The state file .*shop\.db: the disk .*full\. Free some space/) as string,
    },
    again: 503,
    sent: 0,
    failures: Array(2).fill(expect.stringMatching(/was not sent\. The state file .* Free some space/)),
  });
  expect(answered.length).toBeGreaterThan(10);

  const state = openState(path);
  const sim = createSimulator({ webhookUrl: HOOKS });
  await state.restore("shop", sim);
  const kept = new Set(sim.intents.list().map(({ id }) => id));
  expect(answered.filter((id) => !kept.has(id))).toEqual([]);
  state.close();
});
