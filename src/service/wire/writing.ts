import { OriginalDate } from "../../kit/base/runtime/dates.ts";
import { filling } from "../../kit/assumptions/template-filling.ts";
import type { Parts, Template } from "../../kit/assumptions/template.ts";
import type { ApiError } from "../api-error.ts";
import type { Assumptions } from "../assumption-table.ts";
import { errorTable } from "../error-table.ts";
import type { ErrorCode } from "../error-table.ts";
import { eventBodies } from "./event-parts.ts";
import { isRecord, membersOf } from "./parts.ts";
import { bodyTemplate } from "./route-bodies.ts";
import { envelopeParts, errorParts, familyOf, FIELD_CODE, ITEMS, itemsIn, rowsOfEvents } from "./shapes.ts";
import type { EventFamily, EventShape } from "./shapes.ts";

/** Writes successes and errors as the world's assumptions shape them (part 1, part 7). */
export class Writing {
  readonly #assumptions: Assumptions;
  #envelope: ((parts: Parts) => unknown) | undefined;
  #errorBody: ((parts: Parts) => unknown) | undefined;
  readonly #bodies = new Map<string, (data: unknown) => unknown>();
  readonly #events = new Map<EventFamily, (parts: Parts) => unknown>();

  constructor(assumptions: Assumptions) {
    this.#assumptions = assumptions;
  }

  /** Returns the body of a success (`http.envelope`, and the rows of `rowsOfBodies`). */
  success(data: unknown, route?: string): unknown {
    this.#envelope ??= filling(this.#assumptions.value("http.envelope"), envelopeParts);
    return this.#envelope({ values: { data: route === undefined ? data : this.#dataOf(route)(data) } });
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

  /**
   * Returns the body of an event (`webhook.checkout`, `webhook.intent`, `webhook.subscription`).
   * @param event its id, type and time as the document names them
   * @param content the other members of its body
   */
  event(event: { readonly id: string; readonly type: string; readonly createdAt: string }, content: object): unknown {
    const family = familyOf(event.type);
    if (family === undefined) return { ...event, ...content };
    const { types = {}, body }: EventShape = this.#assumptions.value(rowsOfEvents[family]);
    const type = types[event.type] ?? event.type;
    if (body === undefined) return { ...event, type, ...content };
    const fill = this.#events.get(family) ?? filling(body);
    this.#events.set(family, fill);
    const { id, createdAt } = event;
    const created = Math.floor(OriginalDate.parse(createdAt) / 1000);
    const own = { "event.id": id, "event.type": type, "event.createdAt": createdAt, "event.created": created };
    const written = fill({ values: { ...membersOf(content), ...own } });
    return isRecord(written) ? { ...written, ...unknownIn(content, family) } : written;
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

  #dataOf(route: string): (data: unknown) => unknown {
    const known = this.#bodies.get(route);
    if (known !== undefined) return known;
    const template = bodyTemplate(this.#assumptions, route);
    const shape = template === undefined ? unchanged : dataFilling(template);
    this.#bodies.set(route, shape);
    return shape;
  }

  #statusOf(code: ErrorCode): number {
    const statuses: Partial<Record<ErrorCode, number>> = this.#assumptions.value("http.error-status");
    return statuses[code] ?? errorTable[code].status;
  }
}

function unchanged(data: unknown): unknown {
  return data;
}

function dataFilling(template: Template): (data: unknown) => unknown {
  const fill = filling(template, { lists: { [ITEMS]: itemsIn(template) } });
  return (data) => {
    if (!isRecord(data)) return data;
    const { [ITEMS]: items } = data;
    const lists = Array.isArray(items) ? { [ITEMS]: items.filter(isRecord).map((item) => membersOf(item)) } : {};
    return fill({ values: membersOf(data), lists });
  };
}

/** Returns the members of a body that the document does not name, which a fault may add. */
function unknownIn(content: object, family: EventFamily): object {
  const known = eventBodies[family].shape;
  return Object.fromEntries(Object.entries(content).filter(([name]) => !Object.hasOwn(known, name)));
}
