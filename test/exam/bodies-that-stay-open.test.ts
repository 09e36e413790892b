import type { ExamOptions, Opening } from "centavo/exam";
import { expect, test } from "vitest";
import { judge } from "./laws/judge.ts";
import { examOfSmallShop, openSmallShop } from "./small-shop.ts";
import type { Orders } from "./small-shop.ts";

type Answering = (answer: Response, opening: Opening<Orders>) => Promise<Response>;

const shopThat = (answers: Answering): ExamOptions<Orders> => ({
  ...examOfSmallShop(),
  open: (opening) => {
    const app = openSmallShop(opening);
    return async (request: Request) => {
      const answer = await app(request);
      return new URL(request.url).pathname === "/orders" ? answers(answer, opening) : answer;
    };
  },
});

/** Writes a body in two pieces, some time apart. */
const inPieces: Answering = async (answer, { sleep }) => {
  const text = await answer.text();
  const body = new ReadableStream({
    start: async (controller) => {
      controller.enqueue(new TextEncoder().encode(text.slice(0, 10)));
      await sleep("5 seconds");
      controller.enqueue(new TextEncoder().encode(text.slice(10)));
      controller.close();
    },
  });
  return new Response(body, answer);
};

test("a body may end in the middle when its program dies", async () => {
  const crash = ["event payment_intent.succeeded 1", "crash after"] as const;
  expect(await judge(shopThat(inPieces), "order approved")).toEqual([]);
  expect(
    await judge(shopThat(inPieces), "order approved", ["event payment_intent.processing 1", "crash after"]),
  ).toEqual([]);
  expect(await judge(shopThat(inPieces), "order approved", crash)).toEqual([]);
});

const open =
  (type: string): Answering =>
  async () =>
    new Response(new ReadableStream(), { headers: { "content-type": type } });

test("a stream of server-sent events may stay open, and another body may not", async () => {
  expect(await judge(shopThat(open("text/event-stream")), "order approved")).toEqual([]);
  expect(await judge(shopThat(open("text/html")), "order approved")).toContain(
    "nothing-waits-for-ever: The body of the answer to the act order of order-1 never ended.",
  );
});
