import type { FaultTexts } from "../../src/kit/faults/text.ts";
import type { faultFamilies } from "../../src/service/faults.ts";
import { CREATE } from "../../src/service/test-lines.ts";

type KitKind = ReturnType<typeof faultFamilies>[number]["kinds"][number];

/** A text for each kind of fault of the kit whose name begins like this, in the words of this service. */
export type TextsOf<Sort extends string> = FaultTexts<Extract<KitKind, { readonly kind: `${Sort}.${string}` }>>;

/** A call that confirms the intent, always with the same key. */
export const CONFIRM = `${CREATE}
const confirm = () =>
  client.paymentIntents.confirm(id, { paymentMethodId: "pm_card_approved" }, { idempotencyKey: "order-1" });`;

/** Returns the lines of a shop that runs \`line\` for each event and answers 200. */
export function shop(line: string): string {
  return `sim.connect("https://shop.example", async (request: Request) => {
${line.replaceAll(/^/gm, "  ")}
  return new Response();
});`;
}

/** A shop that lists the types of the events it got. */
export const RECEIVED = `const received: string[] = [];
${shop(`const { type } = (await request.json()) as { type: string };
received.push(type);`)}`;

/** A shop that checks signatures. */
export const VERIFIED = `const answers: number[] = [];
sim.connect("https://shop.example", async (request: Request) => {
  const status = await verifyWebhook(request, sim.credentials.webhookSecret).then(
    () => 200,
    () => 401,
  );
  answers.push(status);
  return new Response(null, { status });
});`;
export const VERIFY = `import { verifyWebhook } from "centavo/webhooks";`;
