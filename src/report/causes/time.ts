import type { Cause } from "./cause.ts";
import { textIn } from "./attempts.ts";
import { saysAny, wasOvercome } from "./clues.ts";
import type { Clues, Exchanged } from "./clues.ts";
import { counted, quoted, timeOf, was } from "./wording.ts";

/** This many equal calls at one moment count as polling. */
const POLLS = 5;
/** The functions that Node needs to handle requests. */
const REQUESTS_NEED: ReadonlySet<string> = new Set(["nextTick", "queueMicrotask"]);
/** How far a stamp may be from the receiver's time, as merchants check it, in milliseconds. */
const TOLERANCE = 300_000;

/** Ways to mix up virtual time, the process's time and real time. */
export const timeCauses: readonly Cause[] = [
  {
    name: "clock-in-handler",
    looksAt: "whether the test's error is `CLOCK_BUSY`",
    explanation:
      "The clock waits for the answer of a webhook handler, so the handler cannot wait for the clock. Move the clock in the test alone, one call after the other, each awaited.",
    find: ({ thrown, said, of }) => {
      const isBusy = thrown?.codes.includes("CLOCK_BUSY") === true;
      if (!isBusy && !said.includes(". A webhook handler or any other code that the clock waits for")) return undefined;
      const call = /clock\.(\w+)\(/.exec(said)?.[0];
      const during = of("delivery").at(-1)?.details.type;
      return {
        sentence: `${call === undefined ? "the clock was moved" : `${call}…) was called`} while the clock was moving already${isBusy || during === undefined ? "" : ", by a handler that the clock waits for"}`,
        wayOut: "await each call of sim.clock before the next, and move the clock in the test alone",
        weight: "explains",
      };
    },
  },
  {
    name: "held-call",
    looksAt: "calls that a fault holds until a later moment of the virtual clock",
    explanation:
      'Under the manual clock only the test moves time. A test that awaits a held call before it moves the clock waits for ever. Keep the promise, move the clock, then await the promise; or create the simulator with `{ clock: "auto" }`.',
    find: ({ timers, of, thrown, isClockManual }) => {
      const first = timers.find(({ owner }) => owner === "held-call");
      if (first === undefined || !isClockManual) return undefined;
      const hold: Readonly<Record<string, unknown>> =
        of("fault").findLast(({ details }) => details.act === "hold")?.details ?? {};
      const { route } = hold;
      const call = typeof route === "string" ? `the call ${route}` : "a call";
      return {
        sentence: `${quoted(call)} is held until ${timeOf(first.at)}, and the manual clock stands at an earlier time${thrown?.isTimeout === true ? " while the test awaits the call" : ""}`,
        wayOut:
          'keep the call\'s promise, await sim.clock.advance(…), then await the promise; or use { clock: "auto" }',
        weight: thrown?.isTimeout === true ? "explains" : "likely",
      };
    },
  },
  {
    name: "hanging-call",
    looksAt: "calls that a fault leaves without an answer",
    explanation:
      "The fault `request.hang` never answers, like a server that has lost the call. Only the client can end such a call: give it a timeout, such as `AbortSignal.timeout`.",
    find: ({ hangingCalls, thrown }) => {
      const [call] = hangingCalls;
      if (call === undefined) return undefined;
      return {
        sentence: `${quoted(call)} hangs because of a fault, and your client has no timeout that would end it`,
        wayOut: "give your client a timeout, such as { signal: AbortSignal.timeout(5000) }",
        weight: thrown?.isTimeout === true ? "explains" : "likely",
      };
    },
  },
  {
    name: "fake-timers",
    looksAt: "fake timers of the process, when the test took too long or a request was refused because of them",
    explanation:
      "Fake timers stop everything that sleeps: a client that waits between two tries, a shop that polls, `setTimeout` in the test. Centavo's clock does not move them. Advance them yourself, or leave them real. `Date` follows the virtual clock in `withSimulator` and `simulated`, so nothing else may set it there: `sim.clock.advanceTo` takes the place of `vi.setSystemTime`.",
    find: ({ fakedTimers, thrown, said, failedPages, wasIntercepted, session }) => {
      const call = replacerOfDate(session.dateIsReplaced ?? said);
      if (call !== undefined) {
        return {
          sentence: `${call} replaced Date, which follows the virtual clock`,
          wayOut: "set the time with await sim.clock.advanceTo(…), and fake timers without Date if you need them",
          weight: "explains",
        };
      }
      const isRefused = /while fake timers replace/.test(said);
      // Without these functions no request can be answered, and the app's framework turns that into an error page.
      const stopRequests = wasIntercepted && fakedTimers.some((name) => REQUESTS_NEED.has(name));
      const isLikely = stopRequests && failedPages.length > 0;
      if (fakedTimers.length === 0 || (thrown?.isTimeout !== true && !isRefused && !isLikely)) return undefined;
      const effect = stopRequests ? "no request can be answered" : "every sleep in your code waits";
      return {
        sentence: `fake timers replace ${fakedTimers.join(", ")}, and ${effect} until the test advances them`,
        wayOut: "leave timers real, or advance them in the test",
        weight: "explains",
      };
    },
  },
  {
    name: "real-timers",
    looksAt: "timers of half a minute and more that were set in real time, and that the virtual clock has passed by",
    explanation:
      "A scheduler of the shop, such as `setInterval`, node-cron or croner, sets timers of the process, and these follow real time, so under time travel its jobs never run. With the option `timers: true`, of `withSimulator`, `simulated` and `createSimulator`, they follow the virtual clock ([time.md](time.md#the-shops-own-scheduler)). Or call the job in the test.",
    find: ({ session, now }) => {
      const [first, ...others] = session.realTimers ?? [];
      if (first === undefined) return undefined;
      const { delay, repeats, setAt } = first;
      const more = others.length === 0 ? "" : `, and ${counted(others.length, "more timer")} did not either`;
      return {
        sentence: `${repeats ? "an interval" : "a timeout"} of ${inSeconds(delay)}${setAt === undefined ? "" : `, set at ${setAt},`} follows real time, so it did not run by ${timeOf(now)} of the virtual clock${more}`,
        wayOut: "let the process's timers follow the clock with the option timers: true, or call the job in the test",
        weight: "likely",
      };
    },
  },
  {
    name: "waits-for-the-clock",
    looksAt: "sleeps and timers of the process that wait for the virtual clock when the test took too long",
    explanation:
      "`sim.clock.sleep` and, with `timers: true`, the timers of the process end only when the test moves the clock. A test that awaits one before it moves the clock waits for ever. Keep the promise, move the clock, then await the promise.",
    find: ({ sleeps: [first], isClockManual, thrown, now }) => {
      if (first === undefined || !isClockManual || thrown?.isTimeout !== true) return undefined;
      return {
        sentence: `${quoted(first.call)} waits until ${timeOf(first.at)}, and the manual clock stands at ${timeOf(now)}`,
        wayOut: "begin the wait, await sim.clock.advance(…), then await the wait",
        weight: "likely",
      };
    },
  },
  {
    name: "polling",
    looksAt: "the same call to the service, made again and again at one virtual time",
    explanation:
      'Under the manual clock a payment goes on only when the test moves time, however long the shop polls. Call `await sim.clock.settle()` before the shop polls, or create the simulator with `{ clock: "auto" }`, which moves time while code waits.',
    find: ({ exchanges, timers, isClockManual, thrown, now }) => {
      if (!isClockManual || timers.length === 0) return undefined;
      const asked = lastPolls(exchanges, now);
      const [{ request } = {}] = asked;
      if (request === undefined || asked.length < POLLS) return undefined;
      return {
        sentence: `your code asked ${quoted(`${request.method} ${request.path}`)} ${asked.length} times at ${timeOf(now)}: the manual clock stands still while it polls`,
        wayOut: 'use createSimulator({ clock: "auto" }), or call await sim.clock.settle() before it polls',
        weight: thrown?.isTimeout === true ? "explains" : "certain",
      };
    },
  },
  {
    name: "forgotten-settle",
    looksAt: "what is due at this very moment and has not run, when an assertion failed or the test took too long",
    explanation:
      "Webhooks and the decisions of banks happen when the clock moves. `await sim.clock.settle()` runs everything that is due now, and waits for the deliveries. Settle the simulator to which the shop is connected, if you have several. Any other error ended the test early, perhaps before it could settle.",
    find: ({ timers, now, isClockManual, thrown, of }) => {
      if (thrown !== undefined && !thrown.isAssertion && !thrown.isTimeout) return undefined;
      const due = timers.filter(({ at, owner }) => at <= now && owner !== "held-call");
      if (due.length === 0 || !isClockManual) return undefined;
      const deliveries = due.filter(({ owner }) => owner === "webhook").length;
      return {
        sentence:
          deliveries === 0
            ? `${counted(due.length, "step")} of a payment ${due.length === 1 ? "is" : "are"} still due: call \`await sim.clock.settle()\``
            : `${deliveries === 1 ? "1 delivery is" : `${deliveries} deliveries are`} still waiting: call \`await sim.clock.settle()\``,
        wayOut: "call it after the payment and before the assertion",
        // Nothing that the clock brings changes the answer of a page.
        weight: String(of("visit").at(-1)?.volatile?.status) === String(thrown?.actual) ? "likely" : "certain",
      };
    },
  },
  {
    name: "stale-stamp",
    looksAt: "webhooks whose stamp is far from the time of the process's `Date`",
    explanation:
      'A signature has a stamp, and handlers refuse old ones. With the assumption `webhook.stamp` `"virtual"` the stamp is virtual time, and the process\'s `Date` is not, unless it follows the clock: `fakeDate(sim)`, or the option `now` of `verifyWebhook`. A `Date` that the test fakes by itself is as far off.',
    find: ({ missed, refusedWebhooks, said, stampsAreVirtual, isDateFaked, processNow }) => {
      const refused = missed.filter(({ entry }) => (entry.details.status ?? 0) >= 400);
      const [first] = refused;
      if (first === undefined) return undefined;
      const told = /its stamp is (\d+ s (?:old|in the future))/.exec([...refusedWebhooks, said].join());
      const stamp = first.entry.volatile?.stamp ?? processNow;
      const isFarOff = stampsAreVirtual && !isDateFaked && Math.abs(stamp - processNow) > TOLERANCE;
      if (told === null && !isFarOff) return undefined;
      return {
        sentence: `${counted(refused.length, "webhook")} ${was(refused.length)} refused because the stamp, ${timeOf(stamp)}, is too far from your Date, ${timeOf(processNow)}${told === null ? "" : ` (${told[1]})`}`,
        wayOut: "let Date follow the virtual clock with fakeDate(sim), or pass the option now to verifyWebhook",
        weight: "certain",
      };
    },
  },
  {
    name: "expired-token",
    looksAt: "calls that were refused for their token (401 by default) after it had expired on the virtual clock",
    explanation:
      "Tokens expire in virtual time. A client that asks the real `Date` whether its token is still good never renews it while the test's clock runs ahead. Let `Date` follow: `fakeDate(sim)`, `intercept(sim, { fakeDate: true })`, or `withSimulator` and `simulated`, which do it by default. A client should also get a new token when the service refuses the one that it has.",
    find: ({ of, exchanges, isDateFaked, processNow, said }) => {
      const token = of("token").at(-1)?.details;
      const refused = exchanges.findLast(
        ({ answer, at }) => answer.code === "UNAUTHORIZED" && token !== undefined && at >= token.expiresAt,
      );
      if (token === undefined || refused === undefined || wasOvercome(exchanges, refused)) return undefined;
      const date = isDateFaked ? "and your code used it again" : `while your Date says ${timeOf(processNow)}`;
      return {
        sentence: `your token expired on the virtual clock at ${timeOf(token.expiresAt)}, ${date}: ${quoted(`${refused.request.method} ${refused.request.path}`)} was answered with ${refused.answer.status}`,
        wayOut: isDateFaked
          ? "get a new token when it has expired, and when the service refuses it"
          : "let Date follow the virtual clock: fakeDate(sim), or intercept(sim, { fakeDate: true })",
        weight: saysAny(said, [refused.answer.status, "UNAUTHORIZED"]) ? "explains" : "certain",
      };
    },
  },
  {
    name: "not-yet-due",
    looksAt: "what is due at a later moment, and would bring the status that the test expects",
    explanation:
      'What is due later comes when the test lets the time pass: `await sim.clock.advance("1 month")`. `settle()` runs only what is due now. A month from 1 January is 31 days, and a renewal that fails is tried again after 24, 48 and 72 hours, unless the assumption `subscription.retries` says otherwise. What a fault delays, and the retry of a webhook, come later, too.',
    find: ({ timers, now, missed, thrown }) => {
      const expected = thrown?.isAssertion === true ? textIn(thrown.expected) : "";
      const awaited = timers.find(
        ({ at, owner, name }) => at > now && laterTimers[`${owner} ${name}`]?.brings.includes(expected) === true,
      );
      if (awaited !== undefined) {
        const { at, owner, name, subject } = awaited;
        return {
          sentence: `${laterTimers[`${owner} ${name}`]?.what(subject)} at ${timeOf(at)}, and the clock stands at ${timeOf(now)}`,
          wayOut: "let enough time pass with await sim.clock.advance(…), and then settle()",
          weight: "certain",
        };
      }
      const first = timers.find(
        ({ at, owner, name }) => at > now && (owner === "webhook" || (owner === "payment_intent" && name === "decide")),
      );
      if (first === undefined || timers.some(({ at }) => at <= now) || missed.length > 0) return undefined;
      const what = first.owner === "webhook" ? "a webhook is sent" : `the payment ${first.subject} is decided`;
      return {
        sentence: `${what} at ${timeOf(first.at)}, and the clock stands at ${timeOf(now)}`,
        wayOut: `call await sim.clock.advanceTo("${timeOf(first.at).replace(" ", "T")}")`,
        weight: "likely",
      };
    },
  },
];

/** Timers of a later moment: the statuses that they may bring, and what happens then. */
const laterTimers: Readonly<
  Record<string, { readonly brings: readonly string[]; readonly what: (id: string) => string }>
> = {
  "subscription renewal": { brings: ["past_due"], what: (id) => `the subscription ${id} renews` },
  "subscription first-payment": { brings: ["incomplete_cancelled"], what: (id) => `${id} is given up` },
  "invoice retry": { brings: ["unpaid"], what: (id) => `the next retry of ${id} is due` },
  "checkout expiry": { brings: ["expired"], what: (id) => `the checkout session ${id} expires` },
  "payment_intent challenge": { brings: ["failed"], what: (id) => `the challenge of ${id} runs out` },
};

function inSeconds(milliseconds: number): string {
  return counted(Math.round(milliseconds / 1000), "second");
}

/** Returns the calls at this moment that read the same path as the latest one. */
function lastPolls(exchanges: readonly Exchanged[], now: Clues["now"]): readonly Exchanged[] {
  const here = exchanges.filter(({ at, request }) => at === now && request.method === "GET");
  const last = here.at(-1)?.request.path;
  return here.filter(({ request }) => request.path === last);
}

/** Returns the call that an error of ours names for what it did to `Date`, such as `vi.setSystemTime()`. */
function replacerOfDate(text: string): string | undefined {
  const end = text.indexOf(" replaced Date, which follows");
  if (end === -1) return undefined;
  const before = text.slice(0, end);
  return before.endsWith("a library") ? "a library" : before.split(/\s/).at(-1);
}
