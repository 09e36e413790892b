import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { refuseUnknownOptions } from "../kit/base/errors/unknown-options.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { checkOverrides } from "../kit/assumptions/assumptions.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { assumptionTable } from "../service/assumption-table.ts";
import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { paymentService } from "../service/service.ts";
import type { Exchange } from "../traffic/exchange.ts";
import { DELIVERY } from "./calibration.ts";
import type { Calibration, Drift } from "./calibration.ts";
import { readRecordings } from "./recordings.ts";
import type { RecordedFile } from "./recordings.ts";
import { search } from "./search.ts";
import type { Found } from "./search.ts";
import { rows } from "./slots.ts";
import { sortTraffic } from "./steps.ts";
import type { LeftOut, Sorted } from "./steps.ts";

/** The options of `calibrate`. */
export interface CalibrateOptions {
  /** The base address of the API, such as `https://sandbox.pay.example`. By default it is seen in the calls. */
  readonly baseUrl?: string;
  /** The base address of the token service, if it has one of its own. */
  readonly authUrl?: string;
  /** The values to begin with: those that a team has already. */
  readonly assumptions?: AssumptionOverrides;
}

/**
 * Finds the assumptions under which Centavo answers as the real service did in recorded traffic, by trying them. It plays each request in
 * a world that was brought to the same point, and compares status, shape and values, but for ids, tokens and times.
 *
 * @param recordings files of recorded traffic: HAR 1.2 of Centavo's recorder, of the developer tools of a browser or of Playwright, or
 *   plain JSON lists; or the exchanges themselves
 * @returns the values with the exchanges that speak for each, what recordings disagree on, and what no assumption explains
 * @throws {CentavoError} `INVALID_TRAFFIC` for a recording that cannot be read, or if no call to the service is in any of them; `INVALID_OPTION`,
 *   `INVALID_ASSUMPTION` for the values to begin with
 *
 * @example
 * const { assumptions, drift } = await calibrate([{ name: "shop.har", content: readFileSync("shop.har") }]);
 * const sim = createSimulator({ assumptions });
 */
export async function calibrate(
  recordings: readonly (RecordedFile | Exchange)[],
  options: CalibrateOptions = {},
): Promise<Calibration> {
  const { baseUrl, authUrl, assumptions = {} } = checkedOptions(options);
  const { exchanges, leftOut } = readRecordings(recordings);
  const sorted = sortTraffic(exchanges, { baseUrl, authUrl }, assumptions);
  if (!sorted.steps.some(({ exchange }) => exchange.kind === "call")) throw noCalls(exchanges, baseUrl);
  return calibrationOf(await search({ ...sorted, from: assumptions }), sorted, { unread: leftOut, assumptions });
}

function checkedOptions(options: CalibrateOptions): CalibrateOptions {
  refuseUnknownOptions("calibrate", options, ["baseUrl", "authUrl", "assumptions"]);
  for (const name of ["baseUrl", "authUrl"] as const) {
    const url = options[name];
    if (url !== undefined && !isHttpUrl(url))
      throw new CentavoError(
        "INVALID_OPTION",
        `calibrate: the option ${name} is ${inWords(typeof url === "string" ? shownAddress(url) : url)}. It takes the address of the real service, such as "https://sandbox.pay.example".`,
      );
  }
  checkOverrides(assumptionTable, options.assumptions ?? {}, "calibrate");
  return options;
}

export function isHttpUrl(url: unknown): boolean {
  return typeof url === "string" && /^https?:\/\//.test(url) && URL.canParse(url);
}

function noCalls(exchanges: readonly Exchange[], baseUrl: string | undefined): CentavoError {
  const called = exchanges.flatMap(({ kind, request: { url } }) =>
    kind === "call" && URL.canParse(url) ? [new URL(url).origin] : [],
  );
  const origins = [...new Set(called)].slice(0, 5);
  const went = origins.length === 0 ? "They hold no call at all" : `Their calls went to ${origins.join(", ")}`;
  const addressed =
    baseUrl === undefined
      ? "Give the service's address as baseUrl (--base-url)"
      : `Check baseUrl (--base-url), which is ${shownAddress(baseUrl)}`;
  const wayOut = origins.length === 0 ? "Record again while the shop makes calls" : addressed;
  return new CentavoError(
    "INVALID_TRAFFIC",
    `calibrate: no call in these recordings is one to the payment service. ${went}. ${wayOut}.`,
  );
}

function calibrationOf(
  { values, played, choices, disagreements, evidence, isCut }: Found,
  { steps, leftOut }: Sorted,
  { unread, assumptions }: { readonly unread: readonly LeftOut[]; readonly assumptions: AssumptionOverrides },
): Calibration {
  const found: Readonly<Record<string, unknown>> = values;
  const given: Readonly<Record<string, unknown>> = assumptions;
  const shown = rows.filter(({ id }) => evidence.has(id) || Object.hasOwn(found, id));
  return {
    assumptions: values,
    rows: shown.map(({ id, value }) => ({
      id,
      value: found[id] ?? value,
      changed: JSON.stringify(found[id] ?? value) !== JSON.stringify(given[id] ?? value),
      exchanges: evidence.get(id) ?? [],
    })),
    unseen: rows.filter((row) => !shown.includes(row)).map(({ id }) => id),
    disagreements,
    acts: [...choices].flatMap(([index, { acts, variant }]) => {
      const source = steps[index]?.exchange.source ?? "";
      const told = variant.words === undefined ? acts : [...acts, variant.words];
      return told.map((act) => ({ source, act }));
    }),
    drift: [...driftIn(played), ...played.surplus.map(surplusDrift)],
    leftOut: [...unread, ...leftOut],
    played: steps.length,
    isCut,
  };
}

function driftIn({ compared }: Found["played"]): Drift[] {
  return compared.flatMap(({ step, differences }) => {
    const { source, kind, request } = step.exchange;
    const call =
      kind === "delivery"
        ? DELIVERY
        : `${request.method} ${paymentService.redaction.text(step.path.replace(/\?.*/s, "?…"))}`;
    return differences.map(({ path, expected, came }): Drift => {
      const name = path.split(".").at(-1) ?? path;
      return {
        source,
        call,
        path,
        ...(expected === undefined ? {} : { expected: shownPart(name, expected) }),
        ...(came === undefined ? {} : { came: shownPart(name, came) }),
      };
    });
  });
}

function surplusDrift({ document, text }: Found["played"]["surplus"][number]): Drift {
  return {
    source: "no exchange",
    call: DELIVERY,
    path: "delivery",
    expected: shownPart("delivery", document ?? text),
  };
}

/** Writes a part of a document without the secrets of the world: the name of its member may say that it is one. */
function shownPart(name: string, value: unknown): unknown {
  const shown = paymentService.redaction.value({ [name]: value });
  return Object.hasOwn(shown, name) ? shown[name] : "[redacted]";
}
