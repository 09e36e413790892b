/** The shapes of a payment service of the Philippines: errors as a list with `code` and `detail`, webhooks as `data.attributes`. */
export const philippineService = {
  "http.envelope": { data: "{data}" },
  "http.error-body": {
    errors: [{ code: "{problems.code}", detail: "{problems.message}", source: { pointer: "{problems.path}" } }],
    redirect_url: "{redirectUrl}",
    requires_action: "{requiresAction}",
  },
  "webhook.checkout": {
    types: { "checkout.completed": "checkout_session.payment.paid" },
    body: {
      data: {
        id: "{event.id}",
        type: "event",
        attributes: {
          type: "{event.type}",
          livemode: false,
          created_at: "{event.created}",
          data: {
            id: "{sessionToken}",
            type: "checkout_session",
            attributes: {
              status: "{status}",
              reference_number: "{externalId}",
              payment: "{transactionId}",
              amount: "{amount}",
              metadata: "{metadata}",
            },
          },
        },
      },
    },
  },
  "webhook.intent": {
    types: { "payment_intent.succeeded": "payment.paid", "payment_intent.failed": "payment.failed" },
    body: {
      data: {
        id: "{event.id}",
        type: "event",
        attributes: {
          type: "{event.type}",
          livemode: false,
          created_at: "{event.createdAt}",
          data: { id: "{data.id}", type: "payment", attributes: "{data.attributes}" },
        },
      },
    },
  },
  "webhook.subscription": {
    body: {
      data: { id: "{event.id}", attributes: { type: "{event.type}", at: "{event.createdAt}", data: "{data}" } },
    },
  },
} as const;

/** A page, of which only the next one is known. */
const listOfStripe = { object: "list", data: "{items}", has_more: "{hasMore}" } as const;

/** The shapes of Stripe: no envelope, one error in an object, what an event is about in `data.object`. */
export const stripe = {
  "transaction.page": { "transaction.list": listOfStripe, "transaction.list-payment-sessions": listOfStripe },
  "http.envelope": "{data}",
  "http.error-body": {
    error: {
      type: "api_error",
      code: "{code}",
      message: "{message}",
      params: [{ name: "{errors.path}", message: "{errors.message}" }],
      next_action: { redirect_to_url: "{redirectUrl}", needed: "{requiresAction}" },
    },
  },
  "webhook.checkout": {
    types: { "checkout.completed": "checkout.session.completed" },
    body: {
      id: "{event.id}",
      object: "event",
      type: "{event.type}",
      created: "{event.created}",
      data: {
        object: {
          id: "{sessionToken}",
          client_reference_id: "{externalId}",
          amount_total: "{amount}",
          status: "{status}",
          metadata: "{metadata}",
          payment: "{transactionId}",
        },
      },
    },
  },
  "webhook.intent": {
    body: { id: "{event.id}", type: "{event.type}", created: "{event.created}", data: { object: "{data}" } },
  },
  "webhook.subscription": {
    body: { id: "{event.id}", type: "{event.type}", created: "{event.created}", data: { object: "{data}" } },
  },
} as const;
