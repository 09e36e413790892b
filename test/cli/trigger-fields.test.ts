import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { centavo, centavoIn } from "./commands.ts";
import { folderWith } from "./story-folder.ts";
import { receiver, SECRET } from "./webhook-receiver.ts";

/** Returns the bodies that a dry run prints. */
async function bodies(...words: string[]): Promise<unknown[]> {
  const { text } = await centavo("trigger", ...words, "--dry-run", "--json", "--secret", SECRET);
  return (JSON.parse(text) as { readonly requests: readonly { readonly body: string }[] }).requests.map(
    ({ body }) => JSON.parse(body) as unknown,
  );
}

const failing = async (...words: string[]): Promise<string> =>
  centavo("trigger", "--dry-run", "--secret", SECRET, ...words).then(
    () => "nothing was thrown",
    (error: unknown) => (error as Error).message,
  );

describe("the fields of a triggered event", () => {
  test("are those of the user, and the others are drawn", async () => {
    const words = ["--amount", "49900", "--external-id", "order-7", "--set", "metadata.team=red"];
    const [, event] = await bodies("payment_intent.succeeded", ...words);
    expect(event).toMatchObject({
      type: "payment_intent.succeeded",
      data: { attributes: { amount: 49_900, externalId: "order-7", metadata: { team: "red" } } },
    });
  });

  test("take the amount of a subscription as that of its plan", async () => {
    const [event] = await bodies(
      "subscription.activated",
      "--only",
      "--amount=19900",
      "--set=plan.name=Gold",
      "--set=plan.interval=year",
      "--external-id=member-7",
      "--customer=Ana Cruz <ana@shop.example>",
    );
    expect(event).toMatchObject({
      data: { attributes: { externalId: "member-7", latestInvoice: { amount: 19_900 }, plan: { name: "Gold" } } },
    });
  });

  test.for([
    ["payment_intent.succeeded", "pi_7", (body: never) => (body as { data: { id: string } }).data.id],
    ["subscription.past_due", "sub_7", (body: never) => (body as { data: { id: string } }).data.id],
    ["checkout.completed", "my-token", (body: never) => (body as { sessionToken: string }).sessionToken],
  ] as const)("have the merchant's own id in each event about it: %s", async ([type, id, read]) => {
    const all = await bodies(type, "--id", id);
    const own = all.filter((body) => (body as { type: string }).type.startsWith(type.split(".")[0] ?? ""));
    expect(own.length).toBeGreaterThan(1);
    expect(own.map((body) => read(body as never))).toEqual(own.map(() => id));
  });

  test("have the merchant's own plan", async () => {
    const [event] = await bodies("subscription.activated", "--only", "--set", "planId=plan_gold", "--amount", "100");
    expect(JSON.stringify(event)).toContain('"plan_gold"');
    expect(event).toMatchObject({ data: { attributes: { latestInvoice: { amount: 100 } } } });
  });

  test("tell of the decline that the user names", async () => {
    const [event] = await bodies("payment_intent.failed", "--only", "--decline", "insufficient_funds");
    expect(event).toMatchObject({ data: { attributes: { declineCode: "insufficient_funds" } } });
  });

  test("stay text where the field takes text, and are read as JSON elsewhere", async () => {
    const words = ["--external-id", "007", "--set", "description=12", "--set", "metadata.a.b=[7]"];
    const [event] = await bodies("payment_intent.canceled", ...words);
    expect(event).toMatchObject({ data: { attributes: { externalId: "007", metadata: { a: { b: [7] } } } } });
  });

  test("come from a file, and the other options win", async () => {
    const folder = folderWith({ "order.json": '{ "amount": 100, "externalId": "order-1", "metadata": { "a": 1 } }' });
    const words = ["payment_intent.canceled", "--dry-run", "--json", "--secret", SECRET, "--data", "order.json"];
    const { text } = await centavoIn(folder, "trigger", ...words, "--amount", "200", "--set", "metadata.b=2");
    const { requests } = JSON.parse(text) as { requests: [{ body: string }] };
    const [{ body }] = requests;
    expect(JSON.parse(body)).toMatchObject({
      data: { attributes: { amount: 200, externalId: "order-1", metadata: { a: 1, b: 2 } } },
    });
  });

  test("cannot reach beyond the body, as by __proto__", async () => {
    expect(await failing("payment_intent.canceled", "--set", "__proto__.x=1")).toContain('has no field "__proto__"');
    expect(await failing("payment_intent.canceled", "--set", "constructor=1")).toContain('has no field "constructor"');
    const [event] = await bodies("payment_intent.canceled", "--set", "metadata.__proto__=red");
    expect(JSON.stringify(event)).toContain('"metadata":{"__proto__":"red"}');
    expect(Object.hasOwn(Object.prototype, "x")).toBe(false);
  });
});

describe("centavo trigger refuses", () => {
  test.for([
    [["payment_intent.suceeded"], 'the event is "payment_intent.suceeded"; the nearest is "payment_intent.succeeded".'],
    [
      ["checkout.failed", "--set", "amout=1"],
      'the call that creates the checkout has no field "amout"; the nearest is "amount".',
    ],
    [["checkout.failed", "--set", "contact.emial=a"], 'has no field "contact.emial"; the nearest is "email".'],
    [["checkout.failed", "--amount", "0"], "the field amount is 0: Amount must be at least 1 (in cents)."],
    [["checkout.failed", "--amount", "many"], "An amount is a whole number of centavos, such as 49900 for ₱499.00."],
    [["checkout.failed", "--amount", "499.00"], "An amount is a whole number of centavos, such as 49900 for ₱499.00."],
    [["checkout.failed", "--set", "amount=many"], 'the field amount is "many": must be a number.'],
    [["checkout.failed", "--set", "contact=Ana"], 'the field contact is "Ana": must be an object.'],
    [["subscription.unpaid", "--set", "plan.interval=moon"], 'the field plan.interval is "moon": must be'],
    [["checkout.failed", "--set", "webhookUrl=http://a.example"], "the field webhookUrl cannot be given: --to says"],
    [["checkout.failed", "--set", "status=paid"], "the field status cannot be given: the event says it."],
    [
      ["checkout.failed", "--decline", "insuficient_funds"],
      'centavo trigger: --decline is "insuficient_funds"; the nearest is "insufficient_funds".',
    ],
    [
      ["subscription.unpaid", "--decline", "processor_unavailable"],
      "subscription.unpaid cannot happen by --decline processor_unavailable: the processor is back",
    ],
    [
      ["checkout.expired", "--decline", "insufficient_funds"],
      "centavo trigger: checkout.expired tells of no decline, so --decline cannot be given. It can with payment_intent.failed, checkout.failed, subscription.",
    ],
    [["checkout.failed", "--now", "soon"], '--now is "soon", and takes a moment in ISO 8601'],
    [["checkout.failed", "--data", "none.json"], '--data: the file "none.json" cannot be read'],
    [["checkout.failed", "--assumption", "webhook.sig=1"], "--assumption: "],
    [["checkout.failed", "--to", "localhost:3000"], '--to: "localhost:3000" is not an http or https URL.'],
    [["checkout.failed", "--to", "file:///etc/passwd"], "is not an http or https URL."],
    [["checkout.failed", "--to", "http://ana:secret@shop.example/"], "has a user name or a password"],
    [
      ["checkout.failed", "--assumption", "webhook.signature=standard-webhooks", "--secret", "my secret!"],
      "is not base64",
    ],
    [["checkout.failed", "--secret", ""], "the webhook secret is empty."],
  ] as const)("%j", async ([words, why]) => {
    expect(await failing(...words)).toContain(why);
  });

  test("no password in its message", async () => {
    expect(await failing("checkout.failed", "--to", "http://ana:hunter2@shop.example/")).not.toContain("hunter2");
  });

  test("a call without an event, an address or a secret, with the way out", async () => {
    await expect(centavo("trigger")).rejects.toThrow("name the event, such as subscription.past_due; --list says");
    await expect(centavo("trigger", "checkout.failed", "--secret", "a")).rejects.toThrow("--to is missing");
    await expect(centavo("trigger", "checkout.failed", "--to", "http://localhost:1")).rejects.toThrow(
      "the webhook secret is missing. Put the one that your shop verifies with into the environment variable CENTAVO_WEBHOOK_SECRET",
    );
  });

  test("a file that is not one object, and says so as JSON with --json", async () => {
    const shop = await receiver();
    const folder = folderWith({ "list.json": "[]" });
    writeFileSync(join(folder, "bad.json"), "{");
    const words = ["checkout.failed", "--to", shop.url, "--secret", SECRET, "--json", "--data"];
    const { code, text } = await centavoIn(folder, "trigger", ...words, "list.json");
    expect([code, JSON.parse(text)]).toMatchObject([2, { passed: false, exitCode: 2 }]);
    expect(text).toContain("and takes one object");
    expect((await centavoIn(folder, "trigger", ...words, "bad.json")).text).toContain("is not JSON");
    expect(shop.received).toEqual([]);
  });
});
