import type { Engine } from "../../kit/engine/engine.ts";
import type { Table } from "../../kit/engine/table.ts";
import { fieldProblems } from "../../kit/http/problem.ts";
import type { FieldProblem } from "../../kit/http/problem.ts";
import { ApiError } from "../api-error.ts";
import type { Assumptions } from "../assumption-table.ts";
import { DEFAULT_CURRENCY } from "../currencies.ts";
import { amountProblems } from "../fields.ts";
import { pageOf } from "../list-page.ts";
import type { Plan } from "./plan.ts";
import { storedPlan } from "./rows.ts";
import type { CreatePlanBody, PlanList, PlanView } from "../schemas/subscriptions.ts";
import { planView } from "./views.ts";

const DEFAULT_PAGE = 10;

/** The commands on plans (4.3). */
export class Plans {
  readonly #engine: Engine;
  readonly #assumptions: Assumptions;
  readonly rows: Table<Plan>;

  constructor(engine: Engine, assumptions: Assumptions) {
    this.#engine = engine;
    this.#assumptions = assumptions;
    this.rows = engine.table("plans", { row: storedPlan, identifies: ["id"] });
  }

  get(id: string): Plan | undefined {
    return this.rows.get(id);
  }

  problems({ amount }: Partial<CreatePlanBody>): FieldProblem[] {
    return amountProblems(amount, this.#assumptions.value("http.minimum-amount"));
  }

  create(merchantId: string, body: CreatePlanBody): PlanView {
    const { random, now } = this.#engine;
    const { name, description, amount, currency = DEFAULT_CURRENCY, interval, intervalCount = 1, metadata } = body;
    const plan: Plan = Object.freeze({
      id: random.id("plan"),
      merchantId,
      name,
      ...(description === undefined ? {} : { description }),
      amount,
      currency,
      interval,
      intervalCount,
      ...(metadata === undefined ? {} : { metadata }),
      createdAt: now,
    });
    this.rows.set(plan.id, plan);
    return planView(plan);
  }

  show(merchantId: string, planId: string): PlanView {
    return planView(this.owned(merchantId, planId));
  }

  /** Returns a problem with a cursor that is not a plan of the merchant. */
  cursorProblems(merchantId: string, after: string | undefined): FieldProblem[] {
    return after === undefined || this.rows.get(after)?.merchantId === merchantId
      ? []
      : fieldProblems(["after"], "must be the id of a plan of this merchant");
  }

  /** Lists a merchant's plans, newest first, from the one after the plan `after`. */
  list(
    merchantId: string,
    { limit = DEFAULT_PAGE, after }: { readonly limit?: number | undefined; readonly after?: string | undefined },
  ): PlanList {
    const plans = this.rows.all().filter((plan) => plan.merchantId === merchantId);
    const end = after === undefined ? plans.length : plans.findIndex(({ id }) => id === after);
    const { rows, total } = pageOf(plans.slice(0, end), { limit });
    return { items: rows.map(planView), hasMore: rows.length < total };
  }

  /** @throws {ApiError} `PLAN_NOT_FOUND`, also for another merchant's plan */
  owned(merchantId: string, planId: string): Plan {
    const plan = this.rows.get(planId);
    if (plan === undefined || plan.merchantId !== merchantId) throw new ApiError("PLAN_NOT_FOUND");
    return plan;
  }
}
