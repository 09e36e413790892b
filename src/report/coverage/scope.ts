import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { unknownName } from "../../kit/base/errors/known-names.ts";
import { paymentService } from "../../service/service.ts";
import { testMethods } from "../../service/test-methods.ts";
import type { Customer } from "../../simulator/customer.ts";
import { customerAct } from "./happenings.ts";
import type { Part } from "../../simulator/coverage-result.ts";
import { machines } from "./machines.ts";

/** The kinds of resource that coverage counts. */
export const resources: readonly string[] = machines.map(({ name }) => name);

/**
 * Reads the option `only`.
 * @param call what takes it, for the message
 * @throws {CentavoError} `INVALID_OPTION` for anything but a list of kinds of resource, suggesting the nearest known one
 */
export function readOnly(call: string, only: unknown): readonly string[] {
  if (!Array.isArray(only) || only.length === 0)
    throw new CentavoError(
      "INVALID_OPTION",
      `${call} is ${inWords(only)}. It takes a list of at least one of ${resources.join(", ")}.`,
    );
  const wrong = only.map((name: unknown) => unknownName(call, name, resources)).find((each) => each !== undefined);
  if (wrong !== undefined) throw new CentavoError("INVALID_OPTION", `${wrong}.`);
  return only as readonly string[];
}

/** Returns the kinds of resource that something concerns; empty if it concerns none in particular. */
function subjectsOf(part: Part, name: string): readonly string[] {
  const [, resource] = /^(\w+): /.exec(name) ?? [];
  return resource === undefined ? (subjects.get(`${part} ${name}`) ?? []) : [resource];
}

/** Whether something concerns one of these kinds of resource, or none in particular. */
export function isAbout(kinds: readonly string[], part: Part, name: string): boolean {
  const about = subjectsOf(part, name);
  return about.length === 0 || about.some((kind) => kinds.includes(kind));
}

/** Only acts on the hosted page belong to one kind of resource. Challenges belong to payments of any kind. */
const hostedPage: readonly (keyof Customer)[] = ["pay", "cancel"];

const declared = paymentService.resources.map(({ lifecycles, events, routes }) => ({
  kinds: lifecycles.map(({ lifecycle }) => lifecycle.name),
  events: events?.announced ?? [],
  errors: routes.flatMap(({ errors }): readonly string[] => errors),
}));
const renewed = declared.find(({ kinds }) => kinds.includes("subscription"))?.kinds ?? [];
const ofAnyCall: readonly string[] = Object.values(paymentService.errors.ofProblem);
const ofRoutes = new Set(declared.flatMap(({ errors }) => errors));

const subjects: ReadonlyMap<string, readonly string[]> = new Map<string, readonly string[]>([
  ...declared.flatMap(({ kinds, events }) => events.map((type) => [`events ${type}`, kinds] as const)),
  ...[...ofRoutes].flatMap((code) => {
    const answering = declared.filter(({ errors }) => errors.includes(code));
    // A resource without a machine, such as the list of transactions, may answer any merchant.
    const isOfKinds = !ofAnyCall.includes(code) && answering.every(({ kinds }) => kinds.length > 0);
    return isOfKinds ? [[`errors ${code}`, answering.flatMap(({ kinds }) => kinds)] as const] : [];
  }),
  ...testMethods.filter(({ renewals }) => renewals !== undefined).map(({ id }) => [`outcomes ${id}`, renewed] as const),
  ...hostedPage.map((act) => [`outcomes ${customerAct(act)}`, ["checkout"]] as const),
]);
