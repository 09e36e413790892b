import * as z from "zod/mini";
import { inWords, shortened } from "../../kit/base/errors/in-words.ts";
import { CentavoError } from "../../kit/base/errors/centavo-error.ts";
import { inEnglish } from "../../kit/base/errors/english.ts";
import { nearest } from "../../kit/base/errors/nearest.ts";

/** RFC 6749 (appendix A) allows the same characters. A colon would end the id in an `Authorization: Basic` header. */
const printable = z.string().check(z.regex(/^[\u0020-\u007e]{1,512}$/, "it takes 1 to 512 printable ASCII characters"));
const withoutColon = printable.check(z.refine((id) => !id.includes(":"), "it cannot contain a colon"));

/** Ids and secrets that a test chooses (`auth.secrets`). */
const givenCredentials = z.strictObject({
  merchantId: z.exactOptional(printable),
  clientId: z.exactOptional(withoutColon),
  clientSecret: z.exactOptional(printable),
  adminKey: z.exactOptional(printable),
  webhookSecret: z.exactOptional(
    printable.check(
      z.regex(/^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/, 'it is "whsec_" and base64'),
    ),
  ),
});
export type GivenCredentials = Readonly<z.output<typeof givenCredentials>>;

/** @throws {CentavoError} `INVALID_OPTION`, naming the field */
export function readCredentials(given: unknown): GivenCredentials {
  if (given === undefined) return {};
  const read = givenCredentials.safeParse(given, inEnglish);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  const names = Object.keys(givenCredentials.shape);
  if (issue?.code === "unrecognized_keys") {
    const [unknown = ""] = issue.keys;
    throw refused(`credentials.${shortened(unknown)} does not exist`, nearest(unknown, names) ?? names.join(", "));
  }
  const field = issue?.path[0];
  if (field === undefined) throw refused(`credentials is ${inWords(given)}`, `an object with ${names.join(", ")}`);
  throw refused(`credentials.${String(field)} is not valid: ${issue?.message}`, undefined);
}

function refused(why: string, takes: string | undefined): CentavoError {
  const wayOut = takes === undefined ? "Leave it out to have one drawn from the seed" : `It takes ${takes}`;
  return new CentavoError("INVALID_OPTION", `createSimulator: the option ${why}. ${wayOut}.`);
}
