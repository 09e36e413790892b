/**
 * Holds every response and every webhook of the payment service in the suite to the OpenAPI document, through every way in. Other
 * services on the kit have their own documents. A test that saw a contradiction fails when it ends. An answer or an event that a fault
 * replaced is exempt.
 */
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { afterAll, afterEach } from "vitest";
import type { AnsweredCall } from "../../src/kit/http/answer-channel.ts";
import type { AnnouncedEvent } from "../../src/kit/webhooks/outbox.ts";
import { contradictions } from "./contradictions.ts";

// Loaded when the first message comes, because most files of the suite never make a simulator.
const contract = () => import("./contract.ts");

function isOurs({ service, faulty }: { readonly service: string; readonly faulty: boolean }): boolean {
  return service === "payment-service" && !faulty;
}

function onAnswer(message: unknown): void {
  const call = message as AnsweredCall;
  if (isOurs(call) && !contradictions.isPaused)
    contradictions.note(contract().then(({ contractUnder }) => contractUnder(call.assumptions).contradictionOf(call)));
}

function onEvent(message: unknown): void {
  const event = message as AnnouncedEvent;
  const { type, body, assumptions } = event;
  if (isOurs(event) && !contradictions.isPaused)
    contradictions.note(
      contract().then(({ contractUnder }) => contractUnder(assumptions).contradictionOfWebhook(type, body)),
    );
}

subscribe("centavo:answer", onAnswer);
subscribe("centavo:event", onEvent);

afterEach(() => contradictions.report());
afterAll(async () => {
  unsubscribe("centavo:answer", onAnswer);
  unsubscribe("centavo:event", onEvent);
  // Files of one worker share this.
  contradictions.isPaused = false;
  await contradictions.report();
});
