import { createSimulator } from "centavo";
import { describe, expect, test } from "vitest";
import { paymentService } from "../../src/service/service.ts";
import { ok } from "../merchant/answers.ts";
import { callWith, tokensOf } from "../merchant/requests.ts";

const CARD = "5555444444444457";

const separators = {
  comma: ",",
  dash: "-",
  "en dash": "–",
  "em dash": "—",
  "soft hyphen": "\u00AD",
  dot: ".",
  "middle dot": "·",
  colon: ":",
  star: "*",
  "no-break space": "\u00A0",
  "thin space": "\u2009",
  "ideographic space": "\u3000",
  "zero-width space": "\u200B",
  "zero-width joiner": "\u200D",
  "byte order mark": "\uFEFF",
  "bidi mark": "\u200F",
  escape: "\u001B",
  keycap: "\uFE0F\u20E3",
  "quotes and commas": '", "',
  "a dash in spaces": " - ",
};

/** The zeros of scripts that write numbers with ten digits of their own. */
const zeros = {
  "full-width": 0xff10,
  Arabic: 0x0660,
  Persian: 0x06f0,
  Devanagari: 0x0966,
  Thai: 0x0e50,
  bold: 0x1d7ce,
  monospace: 0x1d7f6,
};

const written: readonly (readonly [string, string])[] = [
  ...Object.entries(separators).map(
    ([name, separator]) => [`in groups with a ${name}`, CARD.replaceAll(/(\d{4})(?=\d)/g, `$1${separator}`)] as const,
  ),
  ...Object.entries(separators).map(
    ([name, separator]) => [`digit by digit with a ${name}`, Array.from(CARD).join(separator)] as const,
  ),
  ...Object.entries(zeros).map(
    ([name, zero]) =>
      [
        `in ${name} digits`,
        Array.from(CARD)
          .map((digit) => String.fromCodePoint(zero + Number(digit)))
          .join(""),
      ] as const,
  ),
];

describe("a card number", () => {
  test.each(written)("%s is printed nowhere", async (_, card) => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    const post = (body: object): Promise<unknown> => callWith(access, sim, "/api/payment-intent", body);
    await post({ amount: 1, description: `card ${card}!`, metadata: { [card]: card }, externalId: card, [card]: 1 });
    await post({ amount: 1, externalId: card });
    await callWith(access, sim, `/api/payment-intent/${encodeURIComponent(card)}/status?a=${encodeURIComponent(card)}`);
    await callWith(access, sim, "/api/payment-intent/pi_x/confirm", { paymentMethodId: card, cardNumber: card });
    sim.clock.onMove(() => {
      throw new Error(`card ${card}`);
    });
    await sim.clock.advance("1 second").catch(() => undefined);
    const printed = JSON.stringify(sim.journal.entries) + String(sim.journal);
    expect(printed).not.toContain(card);
    expect(printed).not.toContain(JSON.stringify(card).slice(1, -1));
    expect(printed).not.toContain(encodeURIComponent(card));
  });

  test.each<[string, unknown]>([
    ["as a negative number", -Number(CARD)],
    ["as a number with a fraction", Number(`${CARD.slice(0, 12)}.${CARD.slice(12)}`)],
    ["as a list of groups", [5555, 4444, 4444, 4457]],
    ["as a list of digits", Array.from(CARD)],
  ])("%s is printed nowhere", async (_, card) => {
    const sim = createSimulator();
    const { access } = await tokensOf(sim);
    await callWith(access, sim, "/api/payment-intent", { amount: 1, metadata: { card } });
    const printed = (JSON.stringify(sim.journal.entries) + String(sim.journal)).replaceAll(/[^0-9]/g, "");
    expect(printed).not.toContain(CARD);
  });
});

describe("a card number in the query of a webhook's address", () => {
  test.each([
    ["percent-encoded", encodeURIComponent("5555 4444 4444 4457")],
    ["in digits that are percent-encoded", Array.from(CARD, (digit) => `%3${digit}`).join("")],
    ["encoded like a form", "5555+4444+4444+4457"],
    ["percent-encoded twice", encodeURIComponent(encodeURIComponent("5555 4444 4444 4457"))],
    ["with each percent sign encoded four times", Array.from(CARD, (digit) => `%2525252525253${digit}`).join("")],
    ["behind escapes that are none", `%ZZ%FF${encodeURIComponent("–5555–4444–4444–4457")}`],
    ["in escapes beside one that is no UTF-8", `%FF${Array.from(CARD, (digit) => `%3${digit}`).join("")}`],
  ])("%s is printed nowhere", async (_, card) => {
    const sim = createSimulator();
    sim.connect("https://shop.example", () => new Response());
    const { access } = await tokensOf(sim);
    const webhookUrl = `https://shop.example/hooks?card=${card}&shop=1`;
    const { id } = ok(await callWith(access, sim, "/api/payment-intent", { amount: 1, webhookUrl }));
    await callWith(access, sim, `/api/payment-intent/${String(id)}/confirm`, { paymentMethodId: "pm_card_approved" });
    await sim.clock.settle();
    const printed = JSON.stringify(sim.journal.entries) + String(sim.journal);
    expect(sim.webhooks.events().at(-1)).toMatchObject({ status: "delivered" });
    expect(printed).toContain("https://shop.example/hooks?card=");
    expect(printed).toContain("•••• 4457&shop=1");
    expect(printed).not.toContain(card);
    expect(printed.match(/\p{Nd}/gu)?.join("")).not.toContain(CARD);
  });
});

test.each([
  "2026-01-01 00:00:00.000",
  "2026-01-01T00:00:00.000Z",
  "http://192.168.100.200:49152/hooks",
  "1767225600000",
  "evt_1et8sUJH9aJ02jf7z2tyv4Ix",
])("%s is no card number, and stays", (text) => expect(paymentService.redaction.text(text)).toBe(text));
