/** A child process that plays the simplest story of the example shop: in an exam, or the same requests with nothing of the exam around them. */
import { createSimulator } from "centavo";
import { exam } from "centavo/exam";
import shop from "../examples/express-shop/shop.exam.ts";
import { createShop } from "../examples/express-shop/shop.ts";
import { handlerOf } from "../src/merchant/process/merchant-app.ts";
import { answerParent } from "./child.ts";
import { microsecondsEach } from "./measure.ts";

/** How many stories to play, and whether in an exam. */
export interface StoryQuestion {
  readonly stories: number;
  readonly inExam: boolean;
}

const ORIGIN = "https://shop.example";
/** After how many minutes the shop's job runs, as in a story; the last customer comes before the fifth time. */
const JOBS_BEFORE = [11, 60, 300, 720];
const JOBS_AFTER = [1560, 2400, 4800];

async function inExam(): Promise<void> {
  await exam({ ...shop, budget: { stories: 1 } });
}

async function bare(): Promise<void> {
  const sim = createSimulator({ recording: false });
  const app = createShop({
    ...sim.credentials,
    payBaseUrl: sim.baseUrl,
    payAuthUrl: sim.authUrl,
    shopUrl: ORIGIN,
    axios: { adapter: "fetch", env: { fetch: sim.fetch } },
  });
  const handler = await handlerOf(ORIGIN, app);
  const visit = async (method: string, path: string, body?: object): Promise<string> => {
    const json = body && { headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
    const answer = await handler(new Request(ORIGIN + path, { method, ...json }));
    return answer.text();
  };
  sim.connect(ORIGIN, { fetch: handler });
  const began = Date.parse(sim.clock.now());
  const order = async (id: string): Promise<void> => {
    const customer = { name: `Customer of ${id}`, email: `${id}@customer.example`, phone: "+639171234567" };
    await visit("POST", "/orders", { id, sku: "book", customer, paymentMethodId: "pm_card_approved" });
    await visit("GET", "/stock");
    await sim.clock.advance("1 second");
    await visit("GET", "/stock");
  };
  const refresh = async (minutes: readonly number[]): Promise<void> => {
    for (const after of minutes) {
      await sim.clock.advanceTo(began + after * 60_000);
      await visit("POST", "/jobs/refresh");
    }
  };
  await visit("GET", "/stock");
  await order("order-1");
  await refresh(JOBS_BEFORE);
  await order("last-1");
  await refresh(JOBS_AFTER);
  await visit("GET", "/stock");
  await sim.close();
}

answerParent(async (question) => {
  const { stories, inExam: isInExam } = question as StoryQuestion;
  return microsecondsEach(stories, isInExam ? inExam : bare);
});
