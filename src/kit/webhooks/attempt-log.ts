import type { Engine } from "../engine/engine.ts";
import type { DetailsOf } from "../engine/journal-entries.ts";
import type { FailedRequest, ReceiverAnswer } from "../receivers/receiver-answer.ts";
import type { DeliveryQueues, DeliveryResult } from "./delivery-queues.ts";
import type { DeliveryTimers } from "./delivery-timers.ts";
import { afterAttempt, afterDelivery, attemptId } from "./event.ts";
import type { DeliveryStatus, WebhookEvent } from "./event.ts";
import type { EventStore } from "./event-store.ts";
import type { WebhookPolicies } from "./policies.ts";
import { readRetryAfter } from "./retry-after.ts";

export interface AttemptLogOptions {
  readonly engine: Engine;
  readonly policies: WebhookPolicies;
  readonly store: EventStore;
  readonly timers: DeliveryTimers;
  readonly queues: DeliveryQueues;
  readonly redactUrl: (url: string) => string;
}

/** Records the result of each attempt: its row, the status of its event, the next retry and the journal entry. */
export class AttemptLog {
  readonly #options: AttemptLogOptions;

  constructor(options: AttemptLogOptions) {
    this.#options = options;
  }

  write(result: DeliveryResult): void {
    const { url, sentAt, event: id } = result;
    const { engine, policies, store, redactUrl } = this.#options;
    const event = store.events.get(id);
    if (event === undefined) return;
    const number = event.attempts + 1;
    const answer = naming(result.answer, `attempt ${number} to deliver ${event.type} ${id}`);
    const meaning = policies.meaningOf(answer);
    const waited = engine.now - sentAt;
    const faults = event.underWay?.[result.name]?.faulty?.faults;
    const struck = faults === undefined ? {} : { faults };
    const nextAt = this.#planRetry(event, result, answer, meaning);
    const status = meaning === "failed" ? statusAfterFailure(event, result, nextAt) : meaning;
    const attempt = {
      eventId: id,
      number,
      at: sentAt,
      ...(waited === 0 ? {} : { answeredAt: engine.now }),
      url,
      answer,
      ...struck,
      delivered: meaning === "delivered",
      ...(nextAt === undefined ? {} : { nextAt }),
    };
    store.write(attempt, {
      ...afterAttempt(afterDelivery(event, result), result),
      status,
      attempts: number,
      retries: event.retries + (nextAt === undefined ? 0 : 1),
    });
    if (status !== "pending") store.finished(id);
    const outcome = answer.kind === "answered" ? { status: answer.status } : failureOf(answer);
    const next = nextAt === undefined ? {} : { nextAt };
    const sent = waited === 0 ? {} : { sentAt };
    engine.note(
      "delivery",
      {
        event: id,
        type: event.type,
        url: redactUrl(url),
        attempt: number,
        ...sent,
        ...outcome,
        ...struck,
        ...next,
        outcome: status,
      },
      { stamp: result.stamp, answer: isBareStatus(answer) ? answer : engine.journal.redaction.value(answer) },
    );
  }

  /** Plans the next retry and returns when it is due, or cancels the planned one. */
  #planRetry(
    event: WebhookEvent,
    { type, queue, sentAt, stamp }: DeliveryResult,
    answer: ReceiverAnswer,
    meaning: ReturnType<WebhookPolicies["meaningOf"]>,
  ): number | undefined {
    const { engine, policies, timers, queues } = this.#options;
    const { id, retries } = event;
    if (meaning !== "failed") {
      timers.cancelRetry(id);
      queues.withdrawRetry(queue, id);
      return undefined;
    }
    if (isOutsideSchedule(event, type)) return undefined;
    const { now } = engine;
    const nextAt = policies.retryAt({
      retry: retries + 1,
      now,
      answer,
      get retryAfter() {
        const asked = readRetryAfter(answer, stamp + (now - sentAt));
        if ("wait" in asked) return asked.wait;
        // Without the header's text, which may differ between runs. The answer in the journal has it.
        engine.note("warning", {
          message: `the Retry-After of the answer to ${attemptId(id, event.attempts + 1)} ${asked.ignored}, so it is ignored`,
        });
        return 0;
      },
    });
    if (nextAt !== undefined) timers.schedule(id, "deliver", nextAt);
    return nextAt;
  }
}

/** Whether an answer consists of a status alone, so that there is nothing to redact. */
function isBareStatus(answer: ReceiverAnswer): boolean {
  return (
    answer.kind === "answered" &&
    answer.retryAfter === undefined &&
    answer.location === undefined &&
    answer.bodyExcerpt === undefined
  );
}

function failureOf({ reason, clock }: FailedRequest): Pick<DetailsOf<"delivery">, "failure" | "clock"> {
  return { failure: reason, ...(clock === undefined ? {} : { clock }) };
}

/** Adds the attempt to the failure message of a merchant's app. */
function naming(answer: ReceiverAnswer, attempt: string): ReceiverAnswer {
  if (answer.kind === "answered" || (answer.reason !== "timeout" && answer.reason !== "threw")) return answer;
  return Object.freeze({ ...answer, message: `${answer.message} This was ${attempt}.` });
}

/** Whether a failed delivery leads to no retry: it is outside the retry schedule, or another delivery has already ended the event. */
function isOutsideSchedule({ status }: WebhookEvent, type: DeliveryResult["type"]): boolean {
  return type !== "deliver" || status !== "pending";
}

/** Returns the event's status after a failed delivery. A delivery outside the retry schedule does not change it. */
function statusAfterFailure(event: WebhookEvent, { type }: DeliveryResult, nextAt: number | undefined): DeliveryStatus {
  if (isOutsideSchedule(event, type)) return event.status;
  return nextAt === undefined ? "exhausted" : "pending";
}
