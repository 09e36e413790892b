import { printable } from "../kit/base/errors/printable.ts";
import { listenToChannel } from "../kit/base/runtime/diagnostics.ts";
import { realTime } from "../kit/base/runtime/real-time.ts";
import type { StoredEntry } from "../kit/engine/journal-entries.ts";
import type { WrittenEntries } from "../kit/engine/written-entries.ts";
import { INSPECTOR_PATH } from "../server/inspector/inspector.ts";
import type { Watch } from "../server/serve.ts";
import { paymentService } from "../simulator/payment-service.ts";
import type { Simulator } from "../simulator/simulator.ts";
import { cut } from "../simulator/readable-timeline.ts";
import { toTimeline } from "../simulator/timeline.ts";
import { styled } from "./output.ts";
import type { Output, Style } from "./output.ts";

/**
 * Prints a line for each request to a server and its outcome. Queries are left out, and secrets in paths are cut as in the journal. What the
 * inspector's page follows has a line only when it is refused, because whoever reads the log asks what the merchant did.
 */
export function watchRequests(output: Output): Watch {
  return async ({ method, url, signal }, world, answer) => {
    const begun = realTime();
    const { pathname } = new URL(url);
    const tell = (style: Style, outcome: string): void => {
      const time = (world?.clock.now() ?? new Date().toISOString()).replace("T", " ");
      const path = cut(printable(paymentService.redaction.text(pathname)));
      const took = styled(output, "dim", `(${Math.round(realTime() - begun)} ms)`);
      output.print(`${time}  request   ${printable(method)} ${path} → ${styled(output, style, outcome)} ${took}`);
    };
    try {
      const answered = await answer;
      const { status, code = "" } = answered as { readonly status: number; readonly code?: string };
      if (status < 400 && pathname.includes(`${INSPECTOR_PATH}/`)) return answered;
      tell(status < 400 ? "green" : status < 500 ? "yellow" : "red", `${status} ${code}`.trimEnd());
      return answered;
    } catch (error) {
      const { code = "the connection was broken" } = Object(error) as { readonly code?: string };
      tell("red", signal.aborted ? "the client left" : `no answer: ${code}`);
      throw error;
    }
  };
}

/**
 * Prints a line for each attempt to deliver an event, and for each failure of a timer, in the worlds of a server.
 * @param worlds returns them. A report plays a run again in another one
 * @returns a function that ends it
 */
export function watchDeliveries(output: Output, worlds: () => readonly Simulator[]): () => void {
  return listenToChannel("centavo:journal", (message) => {
    const { world, entries } = message as WrittenEntries;
    const told = entries.filter((entry) => entry.kind === "failure" || entry.kind === "delivery");
    if (told.length === 0 || !worlds().some(({ internals }) => internals.parts.engine.identity === world)) return;
    for (const entry of told) {
      const isBad = entry.kind === "failure" || isFailedDelivery(entry);
      output.print(styled(output, isBad ? "red" : "green", toTimeline([entry])));
    }
  });
}

function isFailedDelivery({ kind, details }: StoredEntry): boolean {
  return kind === "delivery" && details.outcome !== "delivered";
}
