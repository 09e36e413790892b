import { paymentService } from "../../src/service/service.ts";
import type { Verdict } from "./verdict.ts";

/** The resources that the document does not have, and what calls for each. The other tables have no rows about them. */
const ownResources: Readonly<Record<string, Verdict>> = {};

/** The resources of the document. */
export const documented = paymentService.resources.filter(({ name }) => !Object.hasOwn(ownResources, name));
