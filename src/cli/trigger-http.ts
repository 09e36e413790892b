import { CentavoError } from "../kit/base/errors/centavo-error.ts";
import { inWords } from "../kit/base/errors/in-words.ts";
import { messageOf } from "../kit/base/errors/thrown-values.ts";
import { openHttpClient } from "../kit/base/runtime/http.ts";
import { shownAddress } from "../kit/base/redaction/address.ts";
import { exchangeInTime, failed } from "../kit/receivers/exchange.ts";
import type { FailedRequest, ReceiverAnswer } from "../kit/receivers/receiver-answer.ts";

/**
 * Returns the address of a receiver.
 * @throws {CentavoError} `INVALID_URL` for anything but an http or https URL without user name and password
 */
export function receiverAddress(option: string, given: string): URL {
  const url = URL.parse(given);
  const takes = "It takes the address of your webhook handler, such as http://localhost:3000/webhooks.";
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new CentavoError(
      "INVALID_URL",
      `${option}: ${inWords(shownAddress(given))} is not an http or https URL. ${takes}`,
    );
  if (url.username !== "" || url.password !== "")
    throw new CentavoError(
      "INVALID_URL",
      `${option}: ${shownAddress(given)} has a user name or a password, which no webhook sends. ${takes}`,
    );
  url.hash = "";
  return url;
}

/**
 * Returns a function that sends requests by real HTTP, to whatever host they name. It follows no redirect, reads the beginning of an
 * answer alone, and never rejects.
 * @param timeout how long an answer may take, in milliseconds of real time
 */
export function realSender(timeout: number): (request: Request) => Promise<ReceiverAnswer> {
  return async (request) => {
    const { protocol, origin } = new URL(request.url);
    const client = openHttpClient(protocol, { keepAlive: false });
    const answer = await exchangeInTime(
      { name: "The receiver", receiverTimeout: timeout },
      async (outgoing, signal, bodyLimit) => {
        try {
          return await client.send(outgoing, new URL(outgoing.url), {}, signal, bodyLimit);
        } catch (error) {
          return networkFailure(origin, error);
        }
      },
      request,
    );
    client.close();
    if (answer.kind === "answered" || answer.reason !== "timeout") return answer;
    const message = `No whole answer came within ${timeout / 1000} s of real time. Your handler hangs, or never ends its answer; if it is only slow, raise --timeout.`;
    return { ...answer, message };
  };
}

/** Whether nothing was delivered, because no receiver could be reached. */
export function isOutOfReach(answer: ReceiverAnswer): answer is FailedRequest {
  return answer.kind === "failed" && (answer.reason === "refused" || answer.reason === "unreachable");
}

/** Describes one of Node's network errors. */
function networkFailure(origin: string, error: unknown): FailedRequest {
  const { code } = Object(error) as { readonly code?: unknown };
  const named = typeof code === "string" ? code : "";
  if (named === "ECONNREFUSED")
    return failed("refused", `Nothing listens at ${origin}. Start your shop first, or correct the address.`);
  if (named === "ENOTFOUND" || named === "EAI_AGAIN")
    return failed("unreachable", `No host is called ${new URL(origin).hostname} (${named}). Correct the address.`);
  if (/CERT|SIGNATURE/.test(named))
    return failed(
      "unreachable",
      `${origin} has a TLS certificate that this process does not trust (${named}), so nothing was sent. Name the certificate in the environment variable NODE_EXTRA_CA_CERTS, or send to an http address of your shop.`,
    );
  if (named === "EPROTO" || named.startsWith("ERR_SSL"))
    return failed(
      "unreachable",
      `${origin} does not speak TLS (${named}). Is its address http://, or its port another?`,
    );
  if (named === "ECONNRESET" || named === "EPIPE")
    return failed("reset", `${origin} broke the connection before it had answered (${named}).`);
  if (named.startsWith("HPE_"))
    return failed(
      "not-a-response",
      `${origin} did not answer in HTTP (${named}). Is its address https://, or its port another?`,
    );
  return failed("unreachable", `${origin} could not be reached: ${messageOf(error)}.`);
}
