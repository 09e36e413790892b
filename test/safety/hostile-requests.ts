/** Requests whose text is chosen to cost as much as it can. Each has about as many bytes as it is asked for. */
export interface HostileRequest {
  readonly what: string;
  readonly of: (size: number) => { readonly path: string; readonly init: RequestInit };
}

/** Room for the rest of a body. */
const REST = 120;
const MOST_FIELDS = 9990;

const json = { "content-type": "application/json" };
const form = { "content-type": "application/x-www-form-urlencoded" };

function request(what: string, address: string, headers: Record<string, string>, bodyOf: (size: number) => string) {
  return { what, of: (size: number) => ({ path: address, init: { method: "POST", headers, body: bodyOf(size) } }) };
}

/** A body of `payment-intent.create` with more in it. */
function body(what: string, more: (size: number) => string): HostileRequest {
  return request(what, "/api/payment-intent", json, (size) => `{"amount":1,${more(size - REST)}}`);
}

function text(what: string, field: string, part: string, beginning = ""): HostileRequest {
  const width = Buffer.byteLength(part);
  return body(what, (size) => `"${field}":"${beginning}${part.repeat(size / width)}"`);
}

function path(what: string, beginning: string, part: string, end = ""): HostileRequest {
  return {
    what,
    of: (size) => ({ path: beginning + part.repeat(size / part.length) + end, init: {} }),
  };
}

function header(what: string, name: string, beginning: string, part: string, end = ""): HostileRequest {
  const value = (size: number): string => beginning + part.repeat(size / part.length) + end;
  return { what, of: (size) => ({ path: "/api/transactions", init: { headers: { [name]: value(size) } } }) };
}

/** Distinct names of one length, as many as there is room for, or as many of any length as are taken. */
function names(size: number, around: number, longest: boolean): string[] {
  const count = longest ? MOST_FIELDS : Math.floor(size / (around + 4));
  const length = longest ? Math.max(4, Math.floor(size / count) - around) : 4;
  return Array.from({ length: Math.min(count, Math.floor(size / (around + length))) }, (_, index) =>
    index.toString(36).padStart(length, "x"),
  );
}

const fields = (size: number, longest: boolean): string =>
  names(size, 5, longest)
    .map((name) => `"${name}":1`)
    .join(",");
const parameters = (size: number, longest: boolean): string =>
  names(size, 3, longest)
    .map((name) => `${name}=1`)
    .join("&");

export const hostileRequests: readonly HostileRequest[] = [
  body("as many fields as there is room for", (size) => fields(size, false)),
  body("as many fields as are taken", (size) => fields(size, true)),
  body("fields of contact", (size) => `"contact":{${fields(size, true)}}`),
  body("keys of metadata", (size) => `"metadata":{${fields(size, true)}}`),
  body("fields below metadata", (size) => `"metadata":{"x":{${fields(size, true)}}}`),
  body("empty objects", (size) => `"x":[${"{},".repeat(size / 3)}0]`),
  body("empty lists", (size) => `"x":[${"[],".repeat(size / 3)}0]`),
  body("nested lists", (size) => `"x":[${`${"[".repeat(29)}${"]".repeat(29)},`.repeat(size / 59)}0]`),
  body("numbers", (size) => `"x":[${"1,".repeat(size / 2)}0]`),
  body("fractions", (size) => `"x":[${"1.2345678901234567e-300,".repeat(size / 24)}0]`),
  body("lists in metadata", (size) => `"metadata":{"x":[${"1,".repeat(size / 2)}0]}`),
  body("a number of many digits", (size) => `"x":${"1".repeat(size)}`),
  text("a long text", "description", "x"),
  text("a text of emoji", "description", "😀"),
  text("a text of escapes", "description", String.raw`\u0041`),
  text("digits of a card", "x", "4"),
  text("a text that becomes no token", "x", "eyJ"),
  text("a text of tokens", "x", "eyJa.b "),
  text("metadata of a long text", "metadata", "x"),
  body("a name that becomes no token", (size) => `"${"eyJ".repeat(size / 3)}":1`),
  text("a long address", "returnUrl", "x", "https://shop.example/"),
  text("an address of slashes", "returnUrl", "/", "https:"),
  text("an address of spaces", "returnUrl", " "),
  text("an address of labels", "returnUrl", "a.", "https://"),
  text("an address of directories", "returnUrl", "a/../", "https://shop.example/"),
  text("an address of users", "webhookUrl", "@", "https://"),
  request("spaces alone", "/api/payment-intent", json, (size) => " ".repeat(size)),
  request("an unfinished text", "/api/payment-intent", json, (size) => `{"x":"${"x".repeat(size - REST)}`),
  request("a digit for each field of a card", "/api/payment-intent/x/confirm", json, (size) => {
    const part = "4 ".repeat((size - REST) / 8);
    return `{"paymentMethod":"card","creditCardDetails":{"cardNumber":"${part}","expMonth":"${part}","expYear":"${part}","cvc":"${part}"}}`;
  }),
  request("a form of as many fields as there is room for", "/oauth", form, (size) => parameters(size, false)),
  request("a form of as many fields as are taken", "/oauth", form, (size) => parameters(size, true)),
  request("a form of one name", "/oauth", form, (size) => "a&".repeat(size / 2)),
  request("a form of ampersands", "/oauth", form, (size) => "&".repeat(size)),
  request("a form of escapes", "/oauth", form, (size) => `client_id=${"%41".repeat(size / 3)}`.slice(0, size)),
  request("a form of a wrong escape", "/oauth", form, (size) => "%".repeat(size)),
  request("a grant type", "/oauth", form, (size) => `grant_type=${"a".repeat(size - REST)}`),
  request("a client id", "/oauth", form, (size) => `client_secret=x&client_id=${"a".repeat(size - REST)}`),
  request("a name in a form that becomes no token", "/oauth", form, (size) => `${"eyJ".repeat((size - REST) / 3)}=1`),
  path("a query of one name", "/api/transactions?", "a&"),
  {
    what: "a query of as many parameters as are taken",
    of: (size) => ({ path: `/api/transactions?${parameters(size, true)}`, init: {} }),
  },
  path("a query of digits", "/api/transactions?limit=", "1"),
  path("a date in a query", "/api/transactions?dateFrom=2026-01-01T", "0"),
  path("a path of letters", "/", "a"),
  path("a path of slashes", "/", "/"),
  path("a path of segments", "/api/", "a/"),
  path("a path of the parts of routes", "/api/payment-intent/", "confirm/"),
  path("an id", "/api/payment-intent/", "a", "/status"),
  path("an id of escapes", "/api/payment-intent/", "%41", "/status"),
  path("an id of wrong escapes", "/api/payment-intent/", "%", "/status"),
  path("a path of the beginnings of tokens", "/", "eyJ"),
  header("a bearer token", "authorization", "Bearer ", "a"),
  header("a bearer token of dots", "authorization", "Bearer eyJ", "a."),
  header("a bearer token behind spaces", "authorization", "Bearer ", " ", "x"),
  header("Basic credentials", "authorization", "Basic ", "YWFh"),
  header("Basic credentials with spaces", "authorization", "Basic a", " ", "x"),
  header("an API version", "api-version", "", "a"),
  header("an administrator's key", "x-admin-key", "", "a"),
  ...[
    { name: "idempotency-key", part: "k" },
    { name: "content-type", part: "application/" },
    { name: "content-type", part: ";" },
  ].map(({ name, part }) => ({
    what: `${name} of ${part}`,
    of: (size: number) => {
      const headers = { ...json, [name]: part.repeat(size / part.length) };
      return { path: "/api/payment-intent", init: { method: "POST", headers, body: '{"amount":1}' } };
    },
  })),
];
