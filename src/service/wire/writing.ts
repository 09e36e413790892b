import { filling } from "../../kit/assumptions/template.ts";
import type { Parts } from "../../kit/assumptions/template.ts";
import type { ApiError } from "../api-error.ts";
import type { Assumptions } from "../assumption-table.ts";
import { errorTable } from "../error-table.ts";
import type { ErrorCode } from "../error-table.ts";
import { envelopeParts, errorParts, FIELD_CODE } from "./shapes.ts";

/** Writes successes and errors as the world's assumptions shape them (part 1, part 7). */
export class Writing {
  readonly #assumptions: Assumptions;
  #envelope: ((parts: Parts) => unknown) | undefined;
  #errorBody: ((parts: Parts) => unknown) | undefined;

  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }

  /** Returns the body of a success (`http.envelope`). */
  success(data: unknown): unknown {
    this.#envelope ??= filling(this.#assumptions.value("http.envelope"), envelopeParts);
    return this.#envelope({ values: { data } });
  }

  /** Returns the body of an error (`http.error-body`, `http.error-codes`). */
  failure(error: ApiError): unknown {
    this.#errorBody ??= filling(this.#assumptions.value("http.error-body"), errorParts);
    const { code = error.code, message = error.message } =
      this.#assumptions.value("http.error-codes")[error.code] ?? {};
    const errors = error.errors.map((problem) => ({ ...problem, code: FIELD_CODE }));
    const values = { ...error.fields, message, code, status: this.statusOf(error) };
    const problems = errors.length === 0 ? [{ message, code }] : errors.map((problem) => ({ ...problem, code }));
    return this.#errorBody({ values, lists: { errors, problems } });
  }

  /** Returns the status of an error (`http.error-status`); one that differs from its row in the table has a reason of its own. */
  statusOf({ code, status }: Pick<ApiError, "code" | "status">): number {
    return status === errorTable[code].status ? this.#statusOf(code) : status;
  }

  /** Returns the code for a status when only the status is known, and `INTERNAL_ERROR` for a status that the service never answers. */
  codeOfStatus(status: number): ErrorCode {
    const codes = Object.keys(errorTable) as ErrorCode[];
    return codes.find((code) => this.#statusOf(code) === status) ?? "INTERNAL_ERROR";
  }

  #statusOf(code: ErrorCode): number {
    const statuses: Partial<Record<ErrorCode, number>> = this.#assumptions.value("http.error-status");
    return statuses[code] ?? errorTable[code].status;
  }
}
