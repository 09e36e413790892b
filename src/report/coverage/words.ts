import { errorTable } from "../../service/error-table.ts";
import type { ErrorCode } from "../../service/error-table.ts";
import { assumptionTable } from "../../service/assumption-table.ts";
import type { AssumptionId } from "../../service/assumption-table.ts";
import { testMethods } from "../../service/test-methods.ts";
import { paymentService } from "../../service/service.ts";
import type { timeRulesBesideTimers } from "./happenings.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import { machines } from "./machines.ts";

const faultInWords: ReadonlyMap<string, string> = new Map(
  paymentService.knownFaults.kinds.map(({ kind, inWords }) => [kind, inWords]),
);

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
      return faultInWords.get(name) ?? name;
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
