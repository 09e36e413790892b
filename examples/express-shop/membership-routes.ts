import { Router } from "express";
import type { Request, Response } from "express";
import { library, mayRead, plans } from "./memberships.ts";
import type { Membership, Memberships } from "./memberships.ts";
import { PaymentRefused } from "./payment-service.ts";
import type { PaymentService } from "./payment-service.ts";

/** The parts that the routes use. */
export interface MembershipRoutesOptions {
  readonly memberships: Memberships;
  readonly payments: PaymentService;
  readonly shopUrl: string;
  readonly log: (line: string) => void;
}

/** The routes of memberships, which are subscriptions. Only events and the job open or close the library, never the answer to a payment. */
export function membershipRoutes({ memberships, payments, shopUrl, log }: MembershipRoutesOptions): Router {
  const router = Router();
  const planIds = new Map<string, Promise<string>>();

  /** Returns the service's id of a plan, and creates the plan there when it is first needed. */
  const planIdOf = (name: string): Promise<string> => {
    const known =
      planIds.get(name) ?? payments.createPlan({ name, ...plans[name] }, `plan-${name}`).then(({ id }) => id);
    planIds.set(name, known);
    known.catch(() => planIds.delete(name));
    return known;
  };

  /** Pays, or tells the member why the payment failed. */
  const pay = async (
    membership: Membership,
    response: Response,
    payment: () => Promise<string | undefined>,
  ): Promise<boolean> => {
    try {
      memberships.change(membership, { redirectUrl: await payment() });
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code !== "3D_SECURE_REQUIRED") {
        response.status(error.status).json({ ...memberships.get(membership.id), problem: error.message });
        return false;
      }
      memberships.change(membership, { redirectUrl: error.redirectUrl });
    }
    return true;
  };

  const payFirst = async ({ subscriptionId = "" }: Membership, paymentMethodId: string): Promise<string | undefined> =>
    (await payments.paySubscription(subscriptionId, paymentMethodId)).redirectUrl;

  const start = async ({ id, plan, customer }: Membership): Promise<{ readonly id: string }> => {
    const planId = await planIdOf(plan);
    const returnUrl = `${shopUrl}/members/${id}`;
    return payments.startSubscription(
      { planId, contact: customer, externalId: id, returnUrl, webhookUrl: `${shopUrl}/webhooks` },
      id,
    );
  };

  router.post("/memberships", async (request, response) => {
    const { id: application, plan = "", customer, paymentMethodId } = request.body as MembershipRequest;
    if (!Object.hasOwn(plans, plan) || customer === undefined) {
      response.status(400).json({ problem: "A membership has a plan that we sell and a customer" });
      return;
    }
    const begun = memberships.begin(plan, customer, application);
    if (begun.status !== "incomplete") {
      response.json(begun);
      return;
    }
    const membership = memberships.change(begun, { subscriptionId: begun.subscriptionId ?? (await start(begun)).id });
    const isPaid =
      paymentMethodId === undefined || (await pay(membership, response, () => payFirst(membership, paymentMethodId)));
    if (isPaid) response.status(201).json(memberships.get(membership.id));
  });

  router.get("/memberships/:id", (request, response) => {
    const membership = found(memberships, request.params.id, response);
    if (membership !== undefined) response.json(membership);
  });

  router.post("/memberships/:id/card", async (request, response) => {
    const membership = found(memberships, request.params.id, response);
    if (membership === undefined) return;
    const { paymentMethodId = "" } = request.body as MembershipRequest;
    // The change of the card also charges what is owed. Only the first payment needs a separate call.
    const change = async (): Promise<string | undefined> => {
      const { invoice } = await payments.changePaymentMethod(membership.subscriptionId ?? "", paymentMethodId);
      return invoice?.paymentIntent.redirectUrl;
    };
    const isFirst = membership.status === "incomplete";
    if (await pay(membership, response, isFirst ? () => payFirst(membership, paymentMethodId) : change))
      response.json(memberships.get(membership.id));
  });

  router.post("/memberships/:id/plan", async (request, response) => {
    const membership = found(memberships, request.params.id, response);
    if (membership === undefined) return;
    const { plan = "" } = request.body as MembershipRequest;
    if (!Object.hasOwn(plans, plan)) {
      response.status(400).json({ problem: "We do not sell this plan" });
      return;
    }
    await payments.changePlan(membership.subscriptionId ?? "", await planIdOf(plan));
    response.json(memberships.change(membership, { nextPlan: plan === membership.plan ? undefined : plan }));
  });

  router.delete("/memberships/:id", async (request, response) => {
    const membership = found(memberships, request.params.id, response);
    if (membership === undefined) return;
    const { reason } = request.query;
    await payments.cancelSubscription(membership.subscriptionId ?? "", typeof reason === "string" ? reason : undefined);
    response.status(202).json(memberships.get(membership.id));
  });

  router.get("/members/:id/library", (request, response) => {
    const membership = found(memberships, request.params.id, response);
    if (membership === undefined) return;
    if (mayRead(membership)) response.json({ books: library });
    else
      response
        .status(403)
        .json({ problem: `The library is for members, and ${membership.id} is ${membership.status}` });
  });

  // Customers come back here from their bank.
  router.get("/members/:id", (request, response) => {
    const membership = found(memberships, request.params.id, response);
    if (membership === undefined) return;
    log(`shows the customer that ${membership.id} is ${membership.status}`);
    response
      .type("html")
      .send(`<!doctype html><title>Your membership</title><p>${membership.id}: ${membership.status}</p>`);
  });

  router.use((error: Error, _request: Request, response: Response, next: (error: Error) => void) => {
    if (isRefusal(error)) response.status(error.status).json({ problem: error.message });
    else next(error);
  });

  return router;
}

interface MembershipRequest {
  /** The id of the customer's application, such as a form key, which begins one membership, however often it is sent. */
  readonly id?: string;
  readonly plan?: string;
  readonly customer?: Membership["customer"];
  readonly paymentMethodId?: string;
}

/** Whether the service refused the member's request, so that repeating it would not help. */
function isRefusal(error: unknown): error is PaymentRefused {
  return error instanceof PaymentRefused && error.status >= 400 && error.status < 500 && error.status !== 401;
}

function found(memberships: Memberships, id: string, response: Response): Membership | undefined {
  const membership = memberships.get(id);
  if (membership === undefined) response.status(404).json({ problem: `There is no membership ${id}` });
  return membership;
}
