import { assumed } from "./verdict.ts";
import type { Verdict } from "./verdict.ts";

/** A question that the document leaves open, and what answers it. */
export interface Gap {
  /** The part whose list of gaps has it; undefined for a question that no list raises. */
  readonly part?: string;
  readonly question: string;
  readonly verdict: Verdict;
}

export const gaps: readonly Gap[] = [
  { part: "2.1", question: "Required fields of an intent's contact", verdict: assumed("intent.contact") },
  { part: "2.7", question: "Required fields of payment intent create", verdict: assumed("intent.create-fields") },
  { part: "2.7", question: "Unit of the fee", verdict: assumed("intent.fee") },
  { part: "2.7", question: "Fields of the plan", verdict: assumed("subscription.plan") },
  { part: "2.7", question: "Fields of the subscription", verdict: assumed("subscription.fields") },
  { part: "2.7", question: "Fields of the invoice", verdict: assumed("subscription.invoice") },
  {
    part: "2.7",
    question: "Fields of the transaction and of the payment session",
    verdict: assumed("transaction.record", "transaction.payment-session"),
  },
  {
    part: "3.1",
    question: "What causes each move",
    verdict: assumed(
      "intent.moves",
      "intent.processing-time",
      "intent.authentication",
      "intent.decline",
      "intent.cancel",
    ),
  },
  { part: "3.1", question: "Relation of `pending` to the other values", verdict: assumed("intent.pending") },
  { part: "3.2", question: "Transitions", verdict: assumed("checkout.moves", "checkout.retry", "checkout.payment") },
  {
    part: "3.3",
    question: "Moves other than the two shown",
    verdict: assumed(
      "subscription.first-failure",
      "subscription.late-first-payment",
      "subscription.recovery",
      "subscription.open-invoices",
      "subscription.cancel",
    ),
  },
  { part: "4", question: "Success status codes", verdict: assumed("http.success-status") },
  { part: "4.1", question: "REST response of confirm", verdict: assumed("intent.confirm-response") },
  { part: "4.2", question: "Response of session", verdict: assumed("checkout.bodies") },
  { part: "4.2", question: "Response of process", verdict: assumed("checkout.bodies") },
  { part: "4.2", question: "Response of polling", verdict: assumed("checkout.bodies") },
  {
    part: "4.3",
    question: "Bodies of every subscription endpoint",
    verdict: assumed(
      "subscription.plan",
      "subscription.initiate",
      "subscription.process-payment",
      "subscription.bodies",
    ),
  },
  { part: "4.3", question: "Path of a subscription session", verdict: assumed("subscription.session") },
  {
    part: "4.4",
    question: "Further query parameters of the payment sessions list",
    verdict: assumed("transaction.payment-session"),
  },
  {
    part: "4.4",
    question: "Responses of the transaction endpoints",
    verdict: assumed("transaction.record", "transaction.page", "transaction.payment-session"),
  },
  { part: "5", question: "Request body of the token call", verdict: assumed("auth.token-request") },
  {
    part: "5",
    question: "Token response and lifetime",
    verdict: assumed("auth.token-response", "auth.token-lifetime", "auth.jwt"),
  },
  { part: "5", question: "Endpoint and body for refreshing a token", verdict: assumed("auth.refresh", "auth.paths") },
  {
    part: "5",
    question: "Path and body of merchant registration",
    verdict: assumed("auth.registration", "auth.paths"),
  },
  { part: "5", question: "Credential of subscription and transaction endpoints", verdict: assumed("auth.scope") },
  { part: "6", question: "Other fields of checkout events", verdict: assumed("webhook.checkout") },
  { part: "6", question: "Type names of payment intent events", verdict: assumed("webhook.intent") },
  { part: "6", question: "Payloads of subscription events", verdict: assumed("webhook.subscription") },
  { part: "6", question: "Signature scheme and header", verdict: assumed("webhook.signature", "webhook.stamp") },
  {
    part: "6",
    question: "Retry and delivery schedule",
    verdict: assumed("webhook.retries", "webhook.order", "webhook.success", "webhook.timeout"),
  },
  { part: "6", question: "Further headers of a delivery", verdict: assumed("webhook.user-agent") },
  { part: "6", question: "Name of the event identifier", verdict: assumed("webhook.event-id") },
  { part: "6", question: "Which checkout status emits which event", verdict: assumed("webhook.checkout") },
  { part: "7", question: "HTTP status of each error", verdict: assumed("http.error-status", "auth.token-errors") },
  {
    part: "7",
    question: "Wire shape of other errors",
    verdict: assumed("http.error-body", "http.error-codes", "http.token-messages"),
  },
  { part: "8", question: "Duration of a checkout session", verdict: assumed("checkout.lifetime") },
  { part: "8", question: "Rate limits", verdict: assumed("http.rate-limit") },
  { part: "8", question: "Maximum amount, field lengths, metadata size", verdict: assumed("http.bounds") },
  { part: "9", question: "Versioning scheme", verdict: assumed("http.versioning") },
  { part: "9", question: "Base addresses per environment", verdict: assumed("http.base-urls") },
  { question: "What a refusal changes", verdict: assumed("http.refusals") },
  { question: "Fields that the document does not name", verdict: assumed("http.unknown-fields") },
  { question: "Idempotency", verdict: assumed("http.idempotency-key") },
  { question: "Whether `externalId` is enforced to be unique", verdict: assumed("http.external-id") },
  {
    question: "Overlap of fixed and variable path segments, slashes at their end, case",
    verdict: assumed("http.routing", "http.paths"),
  },
  { question: "HEAD and OPTIONS", verdict: assumed("http.methods") },
  { question: "Whether a page of another origin may read answers", verdict: assumed("http.cors") },
  { question: "What counts as a JSON body", verdict: assumed("http.media-types") },
  { question: "Parameters that are given twice", verdict: assumed("http.repeated-parameters") },
  { question: "Which of several problems is answered", verdict: assumed("http.order") },
  { question: "Least amount of an intent and of a plan", verdict: assumed("http.minimum-amount") },
  { question: "Form of texts and URLs, content of metadata", verdict: assumed("http.texts", "http.metadata") },
  { question: "Resources of another merchant", verdict: assumed("auth.other-merchants") },
  { question: "What `isThirdParty` changes", verdict: assumed("checkout.third-party") },
  { question: "Currency of intents and sessions", verdict: assumed("intent.currency") },
  { question: "What the `sessionToken` of an intent opens", verdict: assumed("intent.session-token") },
  {
    question: "Names of payment methods, cards by number, and which methods an intent offers",
    verdict: assumed("intent.methods", "intent.cards", "intent.payment-methods"),
  },
  {
    question: "Deadlines at their exact instant, form of timestamps",
    verdict: assumed("time.boundaries", "time.format"),
  },
  {
    question: "What the client key opens, and the shape of secrets and ids",
    verdict: assumed("auth.client-key", "auth.secrets", "intent.ids"),
  },
  {
    question: "REST and SDK form of confirm, together",
    verdict: assumed("intent.confirm-request", "intent.card-details"),
  },
  {
    question: "Confirming twice, and while a challenge is open",
    verdict: assumed("intent.confirm-twice", "intent.challenge-error"),
  },
  { question: "What produces `display_details`", verdict: assumed("intent.display-details") },
  {
    question: "What a returning customer brings along, and where returnUrl may lead",
    verdict: assumed("intent.return", "checkout.return", "return.schemes"),
  },
  { question: "Addresses of the hosted pages", verdict: assumed("checkout.url") },
  { question: "When the token of a session that has ended is not found", verdict: assumed("checkout.expired-token") },
  {
    question: "Receiver of an event, and how its JSON is written",
    verdict: assumed("webhook.receiver", "webhook.body"),
  },
  { question: "Meaning of the filters of transactions", verdict: assumed("transaction.filters", "transaction.dates") },
  {
    question: "Billing cycle, and when a plan change takes effect",
    verdict: assumed("subscription.renewal", "subscription.plan-change"),
  },
  { question: "When the 3 retries happen", verdict: assumed("subscription.retries") },
  { question: "A challenge without the customer", verdict: assumed("subscription.off-session-challenge") },
  { question: "Paying an invoice by hand", verdict: assumed("subscription.manual-payment") },
  { question: "Wallets for renewals", verdict: assumed("subscription.wallets") },
  { question: "Subscription commands in the wrong state", verdict: assumed("subscription.wrong-state") },
  { question: "Which subscription events, in which order", verdict: assumed("subscription.events") },
];
