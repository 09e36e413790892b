import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { flagOf } from "./given-names.ts";

/** The options of `centavo run` about a merchant that runs already. */
export interface MerchantOptions {
  /** Its origin. */
  readonly merchant?: string;
  readonly port?: number;
  readonly host?: string;
  readonly baseUrl?: string;
  /** A JSON file of credentials, or the JSON. */
  readonly credentials?: string;
  readonly webhookPath?: string;
  /** How long to wait until the merchant listens, in seconds. */
  readonly wait?: number;
}

/** The options that mean nothing without `--merchant`. */
const ITS_OWN = ["port", "host", "baseUrl", "credentials", "webhookPath", "wait"] as const;

/** @throws {CentavoError} `INVALID_OPTION` for options that mean nothing, with `--merchant` or without */
export function refuseMeaningless(
  options: MerchantOptions & { readonly way?: string; readonly digests?: string },
): void {
  const { merchant, way = "intercept", digests } = options;
  const lonely = ITS_OWN.find((name) => options[name] !== undefined);
  if (merchant === undefined && lonely !== undefined)
    throw refused(`${flagOf(lonely)} needs --merchant <url>, the merchant that runs already`);
  if (merchant === undefined) return;
  if (way !== "intercept")
    throw refused(
      `--merchant and --way ${way} exclude each other: a merchant in another process has one way, over HTTP. Leave one of them out`,
    );
  if (digests !== undefined)
    throw refused(
      "--merchant and --digests exclude each other: a merchant in another process is not the same in every run. Leave one of them out",
    );
}

function refused(what: string): CentavoError {
  return new CentavoError("INVALID_OPTION", `centavo run: ${what}.`);
}
