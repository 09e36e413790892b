import type { Credentials } from "../../simulator/simulator.ts";

/** A signed JSON Web Token. */
const JWT = /\beyJ[\w-]+\.[\w-]+\.[\w-]+/g;

/** Watches whether the merchant's secrets reach a customer. */
export class Secrets {
  /** What each secret is called, by its text. */
  readonly #names: Map<string, string>;
  readonly #leaked: (what: string) => void;

  /** @param leaked called with which secret was found where */
  constructor({ clientSecret, webhookSecret, adminKey }: Credentials, leaked: (what: string) => void) {
    this.#names = new Map([
      [clientSecret, "the client secret"],
      [webhookSecret, "the webhook secret"],
      [adminKey, "the admin key"],
    ]);
    this.#leaked = leaked;
  }

  /** Adds the access token from an answer of the token service. */
  async learn(answer: Response): Promise<void> {
    const given = await bodyOf(answer);
    // Wherever it stands in the answer (`auth.token-response`).
    for (const [token] of given.matchAll(JWT)) this.#names.set(token, "an access token");
  }

  /** Searches what a customer sees: the address of a page, and its answer. */
  look(page: string, url: string, answer: Response, body: string): void {
    this.#find(url, `in the address of ${page}`);
    this.#find(answer.headers.get("location") ?? "", `in the redirect of ${page}`);
    this.#find([...answer.headers.values()].join("\n"), `in the headers of ${page}`);
    this.#find(body, `in the answer of ${page}`);
  }

  #find(text: string, where: string): void {
    for (const [secret, name] of this.#names)
      if (text.includes(secret) || text.includes(encodeURIComponent(secret))) this.#leaked(`${name} is ${where}`);
  }
}

/** Reads a copy of the body, because the body itself is read elsewhere. */
export async function bodyOf(answer: Response): Promise<string> {
  if (answer.bodyUsed) return "";
  return textOf(answer.clone());
}

/** How much of a body is read, in characters. */
const MOST_OF_BODY = 2 ** 22;
/** A body in more pieces is written for ever: a page of a shop has some hundreds. */
const MOST_PIECES = 20_000;

/** Reads a body, or the beginning of a long one. One that is written for ever never comes to its end, as one that is not written. */
export async function textOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const decoder = new TextDecoder();
  let text = "";
  let pieces = 0;
  try {
    for await (const chunk of body) {
      text += decoder.decode(chunk, { stream: true });
      pieces += 1;
      if (pieces > MOST_PIECES || text.length > MOST_OF_BODY) break;
    }
  } catch {
    return "";
  }
  return pieces > MOST_PIECES ? new Promise(() => undefined) : text;
}
