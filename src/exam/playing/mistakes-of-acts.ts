import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inWords } from "../../kit/base/errors/in-words.ts";
import { messageOf } from "../../kit/base/errors/thrown-values.ts";

export function noResponse(act: string, returned: unknown): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `exam: the act ${act} returned ${inWords(returned)}. It has to return the merchant's answer, a Response, as in ({ visit, id }) => visit("POST", "/orders", { id }).`,
  );
}

export function threwAtOnce(act: string, id: string, thrown: unknown): CentavoError {
  return new CentavoError(
    "INVALID_OPTION",
    `exam: the act ${act} of ${id} threw before it asked the merchant anything. An act has to work for any id. It threw: ${messageOf(thrown)}`,
  );
}
