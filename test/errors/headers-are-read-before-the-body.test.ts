import { createSimulator } from "centavo";
import { expect, test } from "vitest";

const sim = createSimulator();

/** A request of Bun: headers that were not asked for are gone once the body is read. */
class LazyRequest extends Request {
  #headers: Headers | undefined;

  override get headers(): Headers {
    if (this.#headers === undefined) {
      this.#headers = new Headers(super.headers);
      if (this.bodyUsed) this.#headers.delete("content-type");
    }
    return this.#headers;
  }
}

test.for<readonly [string, () => BodyInit, HeadersInit]>([
  ["URLSearchParams", (): BodyInit => new URLSearchParams(login()), {}],
  ["a text", (): BodyInit => JSON.stringify(login()), { "content-type": "application/json" }],
])("the content type of %s is known although reading the body loses it", async ([, body, headers]) => {
  const request = new LazyRequest(`${sim.baseUrl}/oauth`, { method: "POST", body: body(), headers });
  expect((await sim.fetch(request)).status).toBe(200);
});

function login(): Record<string, string> {
  return { client_id: sim.credentials.clientId, client_secret: sim.credentials.clientSecret };
}
