import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { echoService, type EchoService, type Seen } from "./echo-service.ts";
import { type OpenWay, ways } from "./ways.ts";

describe.each(ways)("through $name", ({ open, hasConnections }) => {
  let service: EchoService;
  let way: OpenWay;

  beforeEach(async () => {
    service = echoService("https://api.pay.example/v1");
    way = await open(service);
    if (way.url !== service.baseUrl) way = { ...way, url: `${way.url}/v1` };
  });

  afterEach(() => way[Symbol.asyncDispose]());

  async function echo(path: string, init?: RequestInit): Promise<Seen> {
    const response = await way.fetch(way.url + path, init);
    expect(response.status).toBe(200);
    return (await response.json()) as Seen;
  }

  test.each(["GET", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "PROPFIND"])(
    "a %s request arrives",
    async (method) => {
      expect(await echo("/thing", { method })).toMatchObject({ method, path: "/v1/thing", body: "" });
    },
  );

  test("path and query arrive as they were written", async () => {
    const seen = await echo("/a%20b/%E2%98%95//c?list=1&list=2&empty=&plus=a+b&q=%26");
    expect(seen).toMatchObject({ path: "/v1/a%20b/%E2%98%95//c", query: "?list=1&list=2&empty=&plus=a+b&q=%26" });
    expect(seen.url).toBe(`${way.url}/a%20b/%E2%98%95//c?list=1&list=2&empty=&plus=a+b&q=%26`);
  });

  test("headers arrive in any case, several of one name joined", async () => {
    const headers = new Headers({ Authorization: "Bearer abc", "IDEMPOTENCY-KEY": "k1", "x-latin": "caf\u00e9" });
    headers.append("x-several", "one");
    headers.append("X-Several", "two");
    const seen = await echo("/thing", { headers });
    expect(seen.headers).toMatchObject({
      authorization: "Bearer abc",
      "idempotency-key": "k1",
      "x-several": "one, two",
    });
    expect(seen.headers["x-latin"]).toBe("caf\u00e9");
  });

  const bodies: [string, () => BodyInit, string][] = [
    ["text", () => "Kapé ☕", "Kapé ☕"],
    ["JSON", () => JSON.stringify({ amount: 10_000 }), '{"amount":10000}'],
    [
      "a form",
      () => new URLSearchParams({ grant_type: "client_credentials", q: "&" }),
      "grant_type=client_credentials&q=%26",
    ],
    ["a blob", () => new Blob(["blob"]), "blob"],
    ["bytes", () => new TextEncoder().encode("bytes"), "bytes"],
    ["nothing", () => "", ""],
  ];

  test.each(bodies)("a body of %s arrives", async (_what, body, expected) => {
    expect(await echo("/thing", { method: "POST", body: body() })).toMatchObject({ body: expected });
  });

  test("a multipart form arrives with its boundary", async () => {
    const form = new FormData();
    form.set("field", "value");
    const seen = await echo("/thing", { method: "POST", body: form });
    const boundary = /boundary=(.+)$/.exec(seen.headers["content-type"] ?? "")?.[1];
    expect(seen.body).toContain(`--${boundary}`);
  });

  test("a stream arrives whole", async () => {
    const body = new Blob(["one ", "two ", "three"]).stream();
    const init: RequestInit & { duplex: "half" } = { method: "POST", body, duplex: "half" };
    expect(await echo("/thing", init)).toMatchObject({ body: "one two three" });
  });

  test("bytes that are not UTF-8 arrive and come back as they were", async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const response = await way.fetch(`${way.url}/binary`, { method: "POST", body: bytes });
    expect(new Uint8Array(await response.arrayBuffer())).toEqual(bytes);
  });

  test("a body of 10 MiB arrives", async () => {
    const body = new Uint8Array(10 * 1024 * 1024).fill(65);
    const response = await way.fetch(`${way.url}/size`, { method: "POST", body });
    expect(await response.json()).toMatchObject({ bytes: body.byteLength });
  });

  test.each([200, 201, 302, 400, 401, 402, 404, 405, 409, 413, 415, 429, 500, 503])(
    "status %i comes back",
    async (status) => {
      const response = await way.fetch(`${way.url}/status/${status}`);
      expect([response.status, await response.text()]).toEqual([status, `status ${status}`]);
    },
  );

  test("204 and HEAD come back without a body", async () => {
    const empty = await way.fetch(`${way.url}/status/204`);
    expect([empty.status, await empty.text()]).toEqual([204, ""]);
    const head = await way.fetch(`${way.url}/thing`, { method: "HEAD" });
    expect(head.headers.get("x-served-by")).toBe("echo");
    if (hasConnections) expect(await head.text()).toBe("");
  });

  test("headers come back, each cookie on its own", async () => {
    const response = await way.fetch(`${way.url}/cookies`);
    expect(response.headers.getSetCookie()).toEqual(["first=1; Path=/; HttpOnly", "second=2"]);
    expect(response.headers.get("x-several")).toBe("one, two");
  });

  test("a redirect comes back as it is to a client that does not follow", async () => {
    const response = await way.fetch(`${way.url}/see-other`, { redirect: "manual" });
    expect([response.status, response.headers.get("location")]).toEqual([303, "landed?from=redirect"]);
  });

  test("requests at the same time get their own answers", async () => {
    const numbers = Array.from({ length: 50 }, (_, index) => String(index));
    const seen = await Promise.all(numbers.map((body) => echo("/many", { method: "POST", body })));
    expect(seen.map(({ body }) => body)).toEqual(numbers);
  });
});

describe.each(ways.filter(({ hasConnections }) => hasConnections))(
  "through $name, as over any connection,",
  ({ name, open }) => {
    let service: EchoService;
    let way: OpenWay;

    beforeEach(async () => {
      service = echoService();
      way = await open(service);
    });

    afterEach(async () => {
      vi.restoreAllMocks();
      await way[Symbol.asyncDispose]();
    });

    test("a 303 is followed with GET", async () => {
      const response = await way.fetch(`${way.url}/pay/see-other`, { method: "POST", body: "card=1" });
      expect(response.redirected).toBe(true);
      expect(response.url).toBe(`${way.url}/pay/landed?from=redirect`);
      expect(await response.json()).toMatchObject({ method: "GET", body: "" });
      expect(service.seen).toHaveLength(2);
    });

    test("a 307 is followed with the same method and body", async () => {
      const response = await way.fetch(`${way.url}/moved`, { method: "POST", body: "again" });
      expect(await response.json()).toMatchObject({ method: "POST", path: "/landed", body: "again" });
    });

    test("a redirect is an error to a client that wants none", async () => {
      await expect(way.fetch(`${way.url}/see-other`, { redirect: "error" })).rejects.toThrow("fetch failed");
    });

    test.each(["reset", "refuse"])("a connection that fails (%s) is a network error", async (path) => {
      // MSW prints the error of a handler that throws one.
      vi.spyOn(console, "error").mockImplementation(() => undefined);
      const error: unknown = await way
        .fetch(`${way.url}/${path}`, { method: "POST", body: "x" })
        .catch((reason: unknown) => reason);
      expect(error).toMatchObject({
        name: "TypeError",
        message: "fetch failed",
        cause: { code: expect.any(String) as string },
      });
      if (name !== "a socket")
        expect((error as Error).cause).toMatchObject({ code: path === "reset" ? "ECONNRESET" : "ECONNREFUSED" });
      expect(service.seen).toHaveLength(1);
      expect((await way.fetch(`${way.url}/after`)).status).toBe(200);
    });

    test("a client that leaves is noticed", async () => {
      const controller = new AbortController();
      const arrival = service.arrival();
      const outcome = expect(way.fetch(`${way.url}/hang`, { signal: controller.signal })).rejects.toMatchObject({
        name: "AbortError",
      });
      await arrival;
      const departure = service.departure();
      controller.abort();
      await outcome;
      await departure;
    });

    test("a client's own timeout ends a hanging request", async () => {
      const outcome = way.fetch(`${way.url}/hang`, { signal: AbortSignal.timeout(20) });
      await expect(outcome).rejects.toMatchObject({ name: "TimeoutError" });
    });
  },
);
