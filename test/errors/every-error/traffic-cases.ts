import { readTraffic } from "../../../src/traffic/read-traffic.ts";
import { entry, har } from "../../traffic/har.ts";
import { createSimulator } from "centavo";
import { calibrate } from "centavo/calibrate";
import { intercept, record } from "centavo/node";
import { centavoIn } from "../../cli/commands.ts";
import { newFile } from "../../traffic/sandbox.ts";
import type { Cause, Causes } from "./cause.ts";
import { newFolder } from "./folder.ts";

const reading = (content: string | Uint8Array) => () => readTraffic(content, "shop.har");
const listing = (listed: unknown) => () => readTraffic(JSON.stringify([listed]), "calls.json");
const call = {
  startedAt: "2026-11-27T09:00:00Z",
  request: { method: "GET", url: "https://sandbox.pay.example/api/transactions" },
};
const SANDBOX = "https://sandbox.pay.example";
const printing =
  (...words: readonly string[]): Cause =>
  async () => {
    const { text, errors = "" } = await centavoIn(newFolder(), ...words);
    return text === "" ? errors : text;
  };
const deep = "[".repeat(100_000) + "]".repeat(100_000);

/** What causes the errors about recorded traffic. */
export const trafficCauses: Causes = {
  INVALID_TRAFFIC: {
    "a recording that is too large": reading(new Uint8Array(300 * 1024 * 1024)),
    "a recording that is compressed": reading(Buffer.from([0x1f, 0x8b, 8])),
    "a recording in Latin-1": reading(Buffer.from('{"name":"Peña"}', "latin1")),
    "a recording that was cut": reading(har(entry()).slice(0, 200)),
    "a recording that is no JSON": reading("{ whsec_bWVyY2hhbnQtc2VjcmV0 }"),
    "a recording of another format": reading('{"info":{"name":"Shop"},"item":[]}'),
    "a recording without entries": reading('{"log":{"version":"1.2"}}'),
    "a plain list with a misspelt field": listing({ ...call, anwser: { status: 200 } }),
    "a plain list with a path in place of a URL": listing({ ...call, request: { method: "GET", url: "/api" } }),
    "calibrate: what is no recording": async () => calibrate([{ path: "shop.har" }] as never),
    "calibrate: no list": async () => calibrate("shop.har" as never),
    "calibrate: no call to the service": async () => calibrate([{ name: "shop.har", content: har() }]),
    "calibrate: calls to other services": async () =>
      calibrate([{ name: "shop.har", content: har(entry({ request: { url: "https://shop.example/cart?key=1" } })) }]),
    "calibrate: no call below the address": async () =>
      calibrate([{ name: "shop.har", content: har(entry()) }], { baseUrl: "https://other.example" }),
    "a plain list with levels without end": () =>
      readTraffic(
        JSON.stringify([{ ...call, answer: { status: 200, body: 0 } }]).replace('"body":0', `"body":${deep}`),
        "calls.json",
      ),
  },
  INVALID_OPTION: {
    "calibrate: an address that is none": async () => calibrate([], { baseUrl: "sandbox.pay.example" }),
    "calibrate: an unknown option": async () => calibrate([], { baseurl: SANDBOX } as never),
    "centavo calibrate of a file that is not there": printing("calibrate", "none.har"),
    "centavo calibrate of a pattern that nothing matches": printing("calibrate", "recordings/*.har"),
    "centavo calibrate of a base URL that is none": printing("calibrate", "none.har", "--base-url", "sandbox.example"),
    "centavo calibrate --check without a file": printing("calibrate", "none.har", "--check"),
    "centavo calibrate of a folder": printing("calibrate", "."),
    "record: no file": () => record(SANDBOX, {} as never),
    "record: an unknown option": () => record(SANDBOX, { file: newFile(), authurl: SANDBOX } as never),
    "record: a path of deliveries that is none": () => record(SANDBOX, { file: newFile(), deliveries: "hooks" }),
    "record: one name to redact": () => record(SANDBOX, { file: newFile(), redact: "pin" as never }),
    "record: a file that cannot be written": () => record(SANDBOX, { file: "/dev/null/shop.har" }),
    "record: a file that another recording writes": async () => {
      const file = "/dev/null";
      const recording = record(SANDBOX, { file });
      try {
        record(SANDBOX, { file });
      } finally {
        await recording.stop();
      }
    },
  },
  INVALID_URL: {
    "record: no URL": () => record("sandbox.pay.example", { file: newFile() }),
    "centavo record to what is no URL": async () => centavoIn(import.meta.dirname, "record", "--to", "sandbox"),
    "centavo record with a merchant that is no URL": async () =>
      centavoIn(import.meta.dirname, "record", "--to", SANDBOX, "--deliver-to", "127.0.0.1:3000"),
    "centavo record of itself": async () => centavoIn(import.meta.dirname, "record", "--to", "http://localhost:4020"),
    "centavo record with a password in its URL": async () =>
      centavoIn(import.meta.dirname, "record", "--to", "https://shop:s3cret@sandbox.pay.example"),
    "record: no URL of the token service": () => record(SANDBOX, { file: newFile(), authUrl: "/token" }),
  },
  INTERCEPTION_CONFLICT: {
    "record: a simulator answers there": () => {
      using _network = intercept(createSimulator({ baseUrl: SANDBOX }));
      record(SANDBOX, { file: newFile() });
    },
  },
};
