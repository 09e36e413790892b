import { inWords, shortened } from "../../base/errors/in-words.ts";
import type { ReceivedHeaders } from "./received-headers.ts";
import { refused } from "./refusal.ts";
import { companionHeaders, SIGNATURE_HEADERS, type WebhookScheme } from "./signature.ts";

/** What the headers claim: signatures over `prefix` and the body, made at `timestamp`, in seconds since 1970. */
export interface SignatureHeader {
  readonly scheme: WebhookScheme;
  readonly headerName: string;
  readonly timestamp: number;
  readonly prefix: string;
  readonly signatures: readonly string[];
}

/**
 * Finds the signature among the headers and parses it.
 * @throws {CentavoError} `WEBHOOK_VERIFICATION_FAILED` when it is missing or malformed
 */
export function readSignatureHeader(
  headers: ReceivedHeaders,
  {
    scheme,
    headerName,
    mode,
  }: { scheme?: WebhookScheme | undefined; headerName?: string | undefined; mode?: "test" | "live" | undefined },
): SignatureHeader {
  const schemes = scheme === undefined ? (Object.keys(SIGNATURE_HEADERS) as WebhookScheme[]) : [scheme];
  const names = headerName === undefined ? schemes.map((each) => SIGNATURE_HEADERS[each]) : [headerName];
  const name = names.find((each) => headers.text(each) !== undefined);
  const value = name === undefined ? undefined : headers.text(name);
  if (name === undefined || value === undefined) {
    const has = shortened(headers.names().join(", ")) || "no headers at all";
    throw refused(
      `the request has no signature. Looked for: ${names.join(", ")}. The request has: ${has}. Likely causes: something between ` +
        "sender and receiver drops the header, the event is not from the service, or the header has another name (the option headerName).",
    );
  }
  const found = scheme ?? schemes.find((each) => SIGNATURE_HEADERS[each] === name) ?? schemeOf(value);
  return found === "standard-webhooks"
    ? readStandardWebhooks(headers, name, value)
    : readPairs(found, name, value, mode);
}

const NOT_OURS =
  "Likely causes: another sender, or a header of another scheme (the options scheme and headerName choose).";

function schemeOf(value: string): WebhookScheme {
  if (/(^|\s)v1,/.test(value)) return "standard-webhooks";
  return /(^|,)\s*v1=/.test(value) ? "stripe" : "paymongo";
}

function readPairs(
  scheme: "paymongo" | "stripe",
  headerName: string,
  value: string,
  mode: "test" | "live" | undefined,
): SignatureHeader {
  const pairs = value.split(",").map((pair) => pair.trim().split("=", 2));
  const valuesOf = (...keys: string[]) =>
    pairs.flatMap(([key = "", text = ""]) => (keys.includes(key) && text !== "" ? [text] : []));
  const [timestamp = ""] = valuesOf("t");
  const fields = scheme === "stripe" ? ["v1"] : mode === undefined ? ["te", "li"] : [mode === "test" ? "te" : "li"];
  const signatures = valuesOf(...fields);
  if (isTimestamp(timestamp) && scheme === "paymongo" && signatures.length === 0 && valuesOf("te", "li").length > 0) {
    throw refused(
      `the ${headerName} header has no signature of the ${mode} mode: it reads ${inWords(value)}. Likely cause: the secret or ` +
        "the endpoint of one mode is set up in the other.",
    );
  }
  if (!isTimestamp(timestamp) || signatures.length === 0) {
    const form = scheme === "paymongo" ? "t=<unix seconds>,te=<hex>,li=<hex>" : "t=<unix seconds>,v1=<hex>";
    throw refused(
      `the ${headerName} header is malformed: it reads ${inWords(value)}, and ${scheme} writes ${form}. ${NOT_OURS}`,
    );
  }
  return { scheme, headerName, timestamp: Number(timestamp), prefix: `${timestamp}.`, signatures };
}

function readStandardWebhooks(headers: ReceivedHeaders, headerName: string, value: string): SignatureHeader {
  const companions = companionHeaders(headerName.toLowerCase());
  const id = headers.text(companions.id);
  const timestamp = headers.textOrNumber(companions.timestamp);
  if (id === undefined || timestamp === undefined) {
    const missing = id === undefined ? companions.id : companions.timestamp;
    throw refused(
      `the request has the header ${headerName}, but not ${missing}, which standard-webhooks signs, too. Likely cause: something between sender and receiver drops it.`,
    );
  }
  const signatures = value.split(/\s+/).flatMap((entry) => {
    const [version, signature = ""] = entry.split(",");
    return version === "v1" && signature !== "" ? [signature] : [];
  });
  if (!isTimestamp(timestamp) || signatures.length === 0) {
    throw refused(
      `the headers ${headerName} and ${companions.timestamp} are malformed: they read ${inWords(value)} and ` +
        `${inWords(timestamp)}, and standard-webhooks writes v1,<base64> and <unix seconds>. ${NOT_OURS}`,
    );
  }
  return {
    scheme: "standard-webhooks",
    headerName,
    timestamp: Number(timestamp),
    prefix: `${id}.${timestamp}.`,
    signatures,
  };
}

function isTimestamp(text: string): boolean {
  return /^\d{1,12}$/.test(text);
}
