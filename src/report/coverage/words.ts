import { errorTable } from "../../service/error-table.ts";
import type { ErrorCode } from "../../service/error-table.ts";
import { assumptionTable } from "../../service/assumption-table.ts";
import type { AssumptionId } from "../../service/assumption-table.ts";
import { testMethods } from "../../service/payment-methods/test-methods.ts";
import type { Fault } from "../../simulator/payment-service.ts";
import type { timeRulesBesideTimers } from "./happenings.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import { machines } from "./machines.ts";

/** What each kind of fault does to a merchant. A missing kind does not compile. */
const faultInWords: Readonly<Record<Fault["kind"], string>> = {
  "request.status": "a call that something in front of the service answers with an error",
  "request.malformed": "a call whose answer is no valid JSON",
  "request.refused": "a call that is refused a connection",
  "request.reset": "a call whose connection breaks before the service learns of it",
  "request.hang": "a call that is never answered",
  "request.latency": "a call that takes long to arrive",
  "response.lost": "a call that is carried out although its answer is lost",
  "response.status": "a call that is carried out and answered with an error",
  "response.truncated": "an answer that breaks off",
  "response.content-type": "an answer with another content type than JSON",
  "response.late": "an answer that comes late",
  "processor.decline": "a payment that the processor declines",
  "processor.unavailable": "a payment for which the processor is unavailable",
  "processor.stuck": "a payment that stays in processing",
  "processor.late": "a payment that the processor decides late",
  "webhook.drop": "an event that never comes",
  "webhook.delay": "an event that comes late",
  "webhook.duplicate": "an event that comes twice",
  "webhook.new-id": "an event that comes twice under two ids",
  "webhook.extra-fields": "an event with fields that you do not know",
  "webhook.unknown-type": "an event of a type that you do not know",
  "webhook.unknown-object": "an event about something that is not yours",
  "webhook.reorder": "events that come in another order",
  "webhook.burst": "events that come all at once",
  "webhook.interleave": "events of several payments that come mixed",
  "webhook.corrupt-body": "an event whose body was changed on the way",
  "webhook.wrong-secret": "an event that is signed with another secret",
  "webhook.stale-timestamp": "an event whose signature is too old",
  "webhook.other-mode": "an event that is signed for the other mode",
  "webhook.refused": "an event that cannot reach you",
  "webhook.answer-lost": "an event whose answer is lost on its way back",
  "webhook.answer": "an event that a proxy answers in your place",
  "webhook.slow": "an event that takes long to reach you",
  "clock.skew": "a service whose clock is not yours",
};

const timeRuleInWords: Readonly<Record<keyof typeof timeRulesBesideTimers, string>> = {
  "auth.token-lifetime": "a call with an access token that has expired",
  "webhook.retries": "an event that is sent again, because its first delivery failed",
  "webhook.timeout": "a delivery that you answer too late",
};

/** Says what was never tested, as the end of "You never tested …". */
export function sentenceOf(part: Part, name: string): string {
  const [subject = "", what = ""] = name.split(": ");
  switch (part) {
    case "states":
      return `${withArticle(subject)} that is ${what}`;
    case "moves":
      return moveInWords(subject, what);
    case "events":
      return `the event ${name}`;
    case "errors":
      return `the error ${name} (${errorTable[name as ErrorCode].status}: ${errorTable[name as ErrorCode].message})`;
    case "faults":
      return faultInWords[name as Fault["kind"]];
    case "outcomes":
      return outcomeInWords(name);
    case "timeRules":
      return timeInWords(name, subject, what);
  }
}

function moveInWords(resource: string, move: string): string {
  const [from = "", to = "", input = ""] = move.split(/ → | \(|\)$/);
  const way = from === to ? `that stays ${to}` : `that goes from ${from} to ${to}`;
  return `${withArticle(resource)} ${way}: ${input.replaceAll("_", " ")}`;
}

function outcomeInWords(name: string): string {
  const method = testMethods.find(({ id }) => id === name);
  return method === undefined ? `a customer who does ${name}()` : `a payment with ${name}: ${method.outcome}`;
}

function timeInWords(name: string, resource: string, input: string): string {
  const due = machines.find((machine) => machine.name === resource)?.whenDue[input];
  if (due !== undefined) return `${withArticle(resource)} at the moment when ${due}`;
  const words = timeRuleInWords[name as keyof typeof timeRulesBesideTimers];
  return `${words} (${assumptionTable[name as AssumptionId].question.toLowerCase()}: ${name})`;
}

function withArticle(resource: string): string {
  const words = resource.replaceAll("_", " ");
  return `${/^[aeiou]/.test(words) ? "an" : "a"} ${words}`;
}
