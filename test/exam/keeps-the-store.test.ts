import { expect, test } from "vitest";
import { exam } from "centavo/exam";

interface Cart {
  readonly id: string;
  readonly lines: readonly { readonly item: string }[];
  readonly looks: number;
}

test("a row may be replaced by a copy that shares its parts", async () => {
  const verdict = await exam<Map<string, Cart>>({
    open:
      ({ store }) =>
      async (request: Request): Promise<Response> => {
        const { id } = (await request.json()) as { readonly id: string };
        const cart = store.get(id) ?? { id, lines: [{ item: "book" }], looks: 0 };
        store.set(id, { ...cart, looks: cart.looks + 1 });
        return new Response();
      },
    acts: {
      order: async ({ visit, id }) => {
        await visit("POST", "/cart", { id });
        return visit("POST", "/cart", { id });
      },
    },
    books: ({ store }) => ({
      orders: [...store.values()].map(({ id, lines }) => ({ id, status: "open", fulfilments: 0, amount: 1, lines })),
    }),
    // This shop sells nothing.
    laws: { "good-card-is-served": "off" },
    budget: { stories: 20 },
  });
  expect(verdict.failures).toEqual([]);
});
