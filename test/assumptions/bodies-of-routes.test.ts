import { assumptionTable } from "centavo";
import { describe, expect, test } from "vitest";
import type * as z from "zod/mini";
import { alternativesOf } from "../../src/kit/assumptions/alternatives.ts";
import type { Choice } from "../../src/kit/assumptions/entry.ts";
import { routesIn } from "../../src/kit/declaration/define-service.ts";
import { paymentService } from "../../src/service/service.ts";
import { rowsOfBodies } from "../../src/service/wire/shapes.ts";
import { everyCall, routesOfClient } from "./all-calls.ts";

const usual = await everyCall({});
const routes = routesIn(paymentService);

function routesOf(row: (typeof rowsOfBodies)[number]): readonly string[] {
  return Object.keys((assumptionTable[row].values as z.ZodMiniObject).shape);
}

test("every call of the client is made", () => {
  expect(Object.keys(usual).toSorted()).toEqual(routesOfClient.toSorted());
});

test("each answer with data can be shaped by exactly one row, on which its route rests", () => {
  const shaped = rowsOfBodies.flatMap((row) => routesOf(row).map((route) => [route, row] as const));
  expect(shaped.map(([route]) => route).toSorted()).toEqual(routesOfClient.toSorted());
  for (const [name, row] of shaped) expect(routes.find((route) => route.name === name)?.assumes).toContain(row);
});

describe.each(rowsOfBodies)("%s", (row) => {
  const alternatives = alternativesOf(assumptionTable[row] as Choice).map(({ value }) => value);

  test.for(alternatives.map((value, index) => [index, value] as const))(
    "shapes its own answers and no others, and the client reads them as ever (%i)",
    async ([, value]) => {
      const answered = await everyCall({ [row]: value });
      const own = routesOf(row);
      for (const [route, { wire, read }] of Object.entries(answered)) {
        if (own.includes(route)) expect(wire, route).not.toEqual(usual[route]?.wire);
        else expect(wire, route).toEqual(usual[route]?.wire);
        expect(read, route).toEqual(asFarAsTold(usual[route]?.read, wire));
      }
    },
  );
});

/** Only a page may keep how many there are in all to itself. */
function asFarAsTold(read: unknown, wire: unknown): unknown {
  if (typeof read !== "object" || read === null || !("total" in read)) return read;
  if (JSON.stringify(wire).includes('"total"')) return read;
  const { total: _, ...told } = read;
  return told;
}

test("a page without hasMore is read by its total, and one without both is refused", async () => {
  const template = { list: "{items}", count: "{total}" };
  const answered = await everyCall({ "transaction.page": { "transaction.list": template } });
  expect(answered["transaction.list"]?.wire).toEqual({
    success: true,
    data: { list: [expect.objectContaining({ currency: "PHP" })], count: 3 },
  });
  expect(answered["transaction.list"]?.read).toEqual(usual["transaction.list"]?.read);
  await expect(everyCall({ "transaction.page": { "transaction.list": { list: "{items}" } } })).rejects.toThrow(
    '"{hasMore}" or "{total}" has to stand somewhere in it',
  );
});

test("a text may hold several members, and a null of the template stays", async () => {
  const template = {
    about: "{externalId} of {contact.email}",
    none: null,
    rest: "{contact}",
    ...without("externalId", "contact"),
  };
  const answered = await everyCall({ "checkout.bodies": { "checkout.session": template } });
  expect(answered["checkout.session"]?.wire).toMatchObject({
    data: { about: "order-1 of ana@example.com", none: null },
  });
  expect(answered["checkout.session"]?.read).toEqual(usual["checkout.session"]?.read);
});

/** Returns the template that has every other member of a session under its own name. */
function without(...names: readonly string[]): Readonly<Record<string, string>> {
  const session = usual["checkout.session"]?.read as object;
  const others = Object.keys(session).filter((name) => !names.includes(name));
  return Object.fromEntries(others.map((name) => [name, `{${name}}`]));
}
