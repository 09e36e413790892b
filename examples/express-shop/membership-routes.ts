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

/** The routes of memberships, which are subscriptions. Only events open or close the library, never an answer of the service. */
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
      leadTo(membership, await payment());
    } catch (error) {
      if (!isRefusal(error)) throw error;
      if (error.code !== "3D_SECURE_REQUIRED") {
        response.status(error.status).json({ ...membership, problem: error.message });
        return false;
      }
      leadTo(membership, error.redirectUrl);
    }
    return true;
  };

  const payFirst = async ({ subscriptionId = "" }: Membership, paymentMethodId: string): Promise<string | undefined> =>
    (await payments.paySubscription(subscriptionId, paymentMethodId)).redirectUrl;

  router.post("/memberships", async (request, response) => {
    const { plan = "", customer, paymentMethodId } = request.body as MembershipRequest;
    if (!Object.hasOwn(plans, plan) || customer === undefined) {
      response.status(400).json({ problem: "A membership has a plan that we sell and a customer" });
      return;
    }
    const membership = memberships.begin(plan, customer);
    const { id } = await payments.startSubscription(
      {
        planId: await planIdOf(plan),
        contact: customer,
        externalId: membership.id,
        returnUrl: `${shopUrl}/members/${membership.id}`,
        webhookUrl: `${shopUrl}/webhooks`,
      },
      membership.id,
    );
    membership.subscriptionId = id;
    const isPaid =
      paymentMethodId === undefined || (await pay(membership, response, () => payFirst(membership, paymentMethodId)));
    if (isPaid) response.status(201).json(membership);
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
      response.json(membership);
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
    if (plan === membership.plan) delete membership.nextPlan;
    else membership.nextPlan = plan;
    response.json(membership);
  });

  router.delete("/memberships/:id", async (request, response) => {
    const membership = found(memberships, request.params.id, response);
    if (membership === undefined) return;
    const { reason } = request.query;
    await payments.cancelSubscription(membership.subscriptionId ?? "", typeof reason === "string" ? reason : undefined);
    response.status(202).json(membership);
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
  readonly plan?: string;
  readonly customer?: Membership["customer"];
  readonly paymentMethodId?: string;
}

/** Whether the service refused the member's request, so that repeating it would not help. */
function isRefusal(error: unknown): error is PaymentRefused {
  return error instanceof PaymentRefused && error.status >= 400 && error.status < 500 && error.status !== 401;
}

function leadTo(membership: Membership, redirectUrl: string | undefined): void {
  if (redirectUrl === undefined) delete membership.redirectUrl;
  else membership.redirectUrl = redirectUrl;
}

function found(memberships: Memberships, id: string, response: Response): Membership | undefined {
  const membership = memberships.get(id);
  if (membership === undefined) response.status(404).json({ problem: `There is no membership ${id}` });
  return membership;
}
