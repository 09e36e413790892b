import { readFileSync } from "node:fs";
import { join } from "node:path";
import { centavoErrorCodes } from "../src/kit/base/errors/centavo-error.ts";
import type { CentavoErrorCode } from "../src/kit/base/errors/centavo-error.ts";
import { errorTable } from "../src/service/error-table.ts";
import type { ErrorCode } from "../src/service/error-table.ts";
import { root } from "./suites.ts";

/** How many messages of a code the page shows. */
const SHOWN = 3;

/** What each answer of the service means for a merchant. */
const ofTheService: Readonly<Record<ErrorCode, string>> = {
  VALIDATION_ERROR: "Read `errors`: each has the `path` of a field and what is wrong with it.",
  MALFORMED_JSON: "Send JSON.",
  PAYMENT_METHOD_INVALID: "Send the id of a [test method](test-methods.md), or a card in full.",
  IDEMPOTENCY_KEY_REUSED: "One key belongs to one call. Make another key for another body.",
  INVALID_REFRESH_TOKEN: "It has expired or was used before. Ask for a token with the client credentials.",
  UNSUPPORTED_GRANT_TYPE: "Send `client_credentials` or `refresh_token` as `grant_type`.",
  UNAUTHORIZED: "The access token is missing, wrong, or has expired. Get a new one, and repeat the call once.",
  INVALID_CREDENTIALS: "Give your app the client id and client secret of `sim.credentials`.",
  INSUFFICIENT_FUNDS: "The card was declined at once. Ask the customer for another one.",
  "3D_SECURE_REQUIRED":
    "The challenge is still open. Send the customer to its `redirectUrl`, and do not confirm again.",
  NOT_FOUND: "Compare the base URL and the path: [wrong-base-url](../guide/causes.md#wrong-base-url).",
  INTENT_NOT_FOUND: "The id is not one of this world, or belongs to another merchant.",
  PLAN_NOT_FOUND: "The id is not one of this world, or belongs to another merchant.",
  SUBSCRIPTION_NOT_FOUND: "The id is not one of this world, or belongs to another merchant.",
  TRANSACTION_NOT_FOUND: "The id is not one of this world, or belongs to another merchant.",
  SESSION_NOT_FOUND:
    "The token is wrong, or the session has expired: [expired-session](../guide/causes.md#expired-session).",
  METHOD_NOT_ALLOWED: "Compare the method with [openapi.json](openapi.json).",
  INVALID_STATE: "The message names the state. Read the resource before you try again.",
  IDEMPOTENCY_KEY_IN_USE: "Wait, and repeat the call with the same key.",
  INTENT_ALREADY_CONFIRMED: "It is no failure: an earlier confirmation went through. Read the status.",
  BODY_TOO_LARGE: "Send less.",
  UNSUPPORTED_MEDIA_TYPE: "Send `content-type: application/json`.",
  RATE_LIMITED: "Wait as long as `Retry-After` says.",
  INTERNAL_ERROR: "Nobody knows what was done. Repeat the call with the same `Idempotency-Key`, or read the status.",
};

/** What each error of a test means, and the way out. */
const ofCentavo: Readonly<Record<CentavoErrorCode, string>> = {
  CLOCK_AUTO_FAILED:
    "Something failed while the auto or real clock moved, when no call awaited it. `sim.journal` has it.",
  CLOCK_BACKWARDS: "Time only moves forward. Restore a snapshot to go back.",
  CLOCK_BUSY:
    "Two calls moved the clock at once. Await the first: [clock-in-handler](../guide/causes.md#clock-in-handler).",
  CLOCK_LIMIT: "A condition never became true, or timers followed one another without end.",
  CLOCK_TIMER_FAILED: "A timer of a service of your own threw. The clock stands at its moment.",
  INTERCEPTION_CONFLICT: "Two tools want the same requests, or the same `Date`. The message says which to start first.",
  INTERCEPTION_REFUSED: "Interception cannot or must not start here, as in production.",
  INVALID_ASSUMPTION: "[assumptions.md](assumptions.md) lists ids, and the values that each takes.",
  INVALID_DURATION: 'Write a duration as `"3 days"`, and a moment as `"2026-03-01T00:00:00Z"`.',
  INVALID_FAULT: "[faults.md](faults.md) lists the kinds, and the fields that each takes.",
  INVALID_OPTION: "The message names the option, what it got, and what it takes.",
  INVALID_RECORDING: "The file is no recording, was changed, or is from another version.",
  INVALID_SNAPSHOT:
    "The value is no snapshot, is one of another version or seed, or was edited. With `{ edited: true }`, the message names the row and the field.",
  INVALID_STATE: "What was asked does not fit the state of the thing, which the message names.",
  INVALID_TRAFFIC: "The file is neither HAR 1.2 nor a list of exchanges, or one of its entries is wrong.",
  INVALID_URL: "The message names the URL, and what is expected in its place.",
  MACHINE_DEFECT: "The machine of a service of your own has a defect.",
  NESTED_UNIT: "A service of your own began one command inside another.",
  NOT_CONNECTED: "No app is connected at this origin: `sim.connect(origin, app)`.",
  NOT_FOUND: "The world has nothing of this id or name. The message says what comes nearest.",
  NOT_SETTLED: "Something was refused or is left. The message lists each with its cause.",
  REPLAY_DIVERGED: "The same inputs led elsewhere: the code differs from the code that was recorded.",
  SWALLOWED_ERRORS:
    "Your code caught an error that no test should have: [runners.md](../guide/runners.md#what-fails-a-test).",
  TEST_TIMED_OUT: "The test took too long. The report below says what it waited for.",
  UNEXPECTED_REQUEST: "A request to another host was refused: [refused-host](../guide/causes.md#refused-host).",
  UNUSED_FAULT: "A planned fault never fired, so the story tests nothing.",
  VISIT_FAILED: "Your app threw, or did not answer. What it threw is the `cause`.",
  WEBHOOK_VERIFICATION_FAILED: "The webhook cannot be trusted. The message says why, and the likely cause.",
  WORLD_ENDED: "The simulator was closed, reset or restored while this still waited.",
};

/** Renders every error: those that the service answers, and those that a test meets. */
export function errorsPage(): string {
  const printed = printedCases();
  const answers = Object.entries(errorTable).map(
    ([code, { status, message }]) =>
      `| <a id="answer-${code}"></a>\`${code}\` | ${status} | ${message} | ${ofTheService[code as ErrorCode]} |`,
  );
  const sections = centavoErrorCodes.map((code) => {
    const cases = (printed.get(code) ?? []).slice(0, SHOWN);
    return [`### ${code}`, ofCentavo[code], ...cases].join("\n\n");
  });
  return `# Errors

Look up an error by its code: what it means, and what to do. [causes.md](../guide/causes.md) goes the other way: from what a failed test looks like to what caused it.

## What the service answers

Your app gets these, as a real merchant would. The body has \`success: false\`, a \`message\`, the \`code\`, and \`errors\` with each field that is wrong. The statuses are an assumption: [\`http.error-status\`](assumptions.md#http.error-status).

| Code | Status | Message | What to do |
| --- | --- | --- | --- |
${answers.join("\n")}

## What a test meets

Centavo's own errors are of the class \`CentavoError\`, and their \`code\` is stable. The messages say more, and may improve. Each section shows at most ${SHOWN} of them, with what led there.

${sections.join("\n\n")}
`;
}

/** Reads what each error prints, by its code: what was done, and the first paragraph of the message. */
function printedCases(): Map<string, string[]> {
  const text = readFileSync(join(root, "test/errors/every-error/every-error.md"), "utf8");
  const sections = text.split(/^## /m).slice(1);
  return new Map(
    sections.map((section) => {
      const [code = ""] = section.split(/\s/, 1);
      const cases = [...section.matchAll(/^(\S.*)\n\n {4}(.+)$/gm)];
      return [code, cases.map(([, done = "", message = ""]) => `${done}:\n\n\`\`\`\n${message}\n\`\`\``)];
    }),
  );
}
