import type { Difference } from "./differences.ts";
import { isHidden, isStandIn } from "./names.ts";
import type { Step } from "./steps.ts";
import type { Sent } from "./world.ts";

/** Headers of a delivery that say nothing of the service's signature. */
const OF_TRANSPORT =
  /^(?:accept.*|authorization|cache-control|connection|content-.*|cookie|date|forwarded|host|keep-alive|priority|sec-.*|te|trace.*|transfer-encoding|upgrade.*|user-agent|via|x-forwarded-.*|x-request-id|x-real-ip|cf-.*)$/;
/** Headers of a delivery that carry an id, in whatever scheme. */
const SIGNATURE = /sign|webhook/;

/** Returns where the headers that matter differ: the media type of an answer with a body, and the signature of a delivery. */
export function headerDifferences(sent: Sent, step: Step, what: "answer" | "delivery"): Difference[] {
  if (what === "delivery") return [...signatureDifferences(sent, step), ...agentDifferences(sent, step)];
  const { answer, request } = step.exchange;
  const recorded = valueOf(answer?.headers ?? [], "content-type");
  const own = valueOf(sent.headers, "content-type");
  const media =
    recorded === undefined || own === undefined || mediaType(recorded) === mediaType(own)
      ? []
      : [{ path: "headers.content-type", expected: mediaType(own), came: mediaType(recorded) }];
  const name = "access-control-allow-origin";
  const [allows, allowed] = [valueOf(sent.headers, name), valueOf(answer?.headers ?? [], name)];
  const asks = valueOf(request.headers, "origin") !== undefined;
  if (!asks || (allows === undefined) === (allowed === undefined)) return media;
  return [...media, { path: `headers.${name}`, ...(allows === undefined ? { came: allowed } : { expected: allows }) }];
}

function signatureDifferences(sent: Sent, step: Step): Difference[] {
  const own = signatures(sent.headers);
  const recorded = signatures(step.exchange.request.headers);
  const names = [...new Set([...own.keys(), ...recorded.keys()])];
  return names.flatMap((name): Difference[] => {
    const [expected, came] = [own.get(name), recorded.get(name)];
    if (
      expected !== undefined &&
      came !== undefined &&
      (isHidden(came) || isStandIn(came) || formOf(expected) === formOf(came))
    )
      return [];
    const path = `headers.${name}`;
    return [
      {
        path,
        ...(expected === undefined ? {} : { expected: formOf(expected) }),
        ...(came === undefined ? {} : { came: formOf(came) }),
      },
    ];
  });
}

/** A list that people write has no `User-Agent`. */
function agentDifferences(sent: Sent, step: Step): Difference[] {
  const [expected, came] = [sent.headers, step.exchange.request.headers].map((headers) =>
    valueOf(headers, "user-agent"),
  );
  return expected === undefined || came === undefined || expected === came
    ? []
    : [{ path: "headers.user-agent", expected, came }];
}

function signatures(headers: Sent["headers"]): ReadonlyMap<string, string> {
  return new Map(headers.filter(([name]) => !OF_TRANSPORT.test(name) && SIGNATURE.test(name)));
}

/** Returns the form of a signature: its parts by name, without their values. */
function formOf(value: string): string {
  return value
    .split(/[ ,]+/)
    .map((part) => (part.includes("=") && !part.endsWith("==") ? part.slice(0, part.indexOf("=") + 1) : "…"))
    .join(",");
}

function valueOf(headers: Sent["headers"], wanted: string): string | undefined {
  return headers.find(([name]) => name === wanted)?.[1];
}

function mediaType(value: string): string {
  return (value.split(";", 1)[0] ?? "").trim().toLowerCase();
}
