/** One entry of a HAR file, as developer tools write it. */
export interface Entry {
  readonly [field: string]: unknown;
  readonly request: Readonly<Record<string, unknown>>;
  readonly response: Readonly<Record<string, unknown>> | null;
}

/** A call that was answered, with other fields in place of its own. */
export function entry({
  request = {},
  response = {},
  ...others
}: {
  readonly request?: object;
  readonly response?: object;
  readonly [field: string]: unknown;
} = {}): Entry {
  return {
    startedDateTime: "2026-11-27T09:00:00.000Z",
    time: 12.5,
    request: {
      method: "POST",
      url: "https://sandbox.pay.example/api/checkout",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [{ name: "Content-Type", value: "application/json" }],
      queryString: [],
      postData: { mimeType: "application/json", text: '{"amount":49900}' },
      headersSize: -1,
      bodySize: 16,
      ...request,
    },
    response: {
      status: 201,
      statusText: "Created",
      httpVersion: "HTTP/1.1",
      cookies: [],
      headers: [{ name: "Content-Type", value: "application/json" }],
      content: { size: 13, mimeType: "application/json", text: '{"id":"cs_1"}' },
      redirectURL: "",
      headersSize: -1,
      bodySize: 13,
      ...response,
    },
    cache: {},
    timings: { send: 0, wait: 12, receive: 0.5 },
    ...others,
  };
}

/** A HAR file. */
export function har(...entries: readonly unknown[]): string {
  return JSON.stringify({ log: { version: "1.2", creator: { name: "WebInspector", version: "537.36" }, entries } });
}
