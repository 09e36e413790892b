import { describe, expect, test } from "vitest";
import { errorTable } from "../../src/service/error-table.ts";
import { AMOUNT_TOO_SMALL } from "../../src/service/fields.ts";
import { openApiDocument } from "../../src/simulator/openapi-document.ts";
import { pascalCase } from "../../src/openapi/schemas.ts";
import { documentedErrors, events, ownErrors } from "./errors.ts";
import { documented } from "./resources.ts";

describe("the errors of the conformance table", () => {
  test("are the codes that the service answers, no more and no less", () => {
    const codes = [...documentedErrors.map(({ code }) => code), ...Object.keys(ownErrors)];
    expect([...new Set(codes)].toSorted()).toEqual(Object.keys(errorTable).toSorted());
  });

  test("do not count among Centavo's own what the document has", () => {
    expect(documentedErrors.filter(({ code }) => Object.hasOwn(ownErrors, code))).toEqual([]);
  });

  // Three sentences share a code with another. The tests that provoke each error check its sentence.
  test.for(
    documentedErrors.filter(
      ({ code, label }) => label !== code && !["Token expired", AMOUNT_TOO_SMALL].includes(label),
    ),
  )("$label is the message of $code", ({ code, label }) => {
    expect(errorTable[code].message).toBe(label);
  });
});

test("the events of the conformance table are the webhooks of the OpenAPI document, no more and no less", () => {
  const { webhooks, components } = openApiDocument();
  const told = documented.flatMap(({ events: own }) => {
    if (own === undefined || !Object.hasOwn(webhooks, own.name)) return [];
    const component = `${pascalCase(own.name)}Event`;
    const { type } = (components.schemas[component]?.["properties"] ?? {}) as { type?: { enum?: readonly string[] } };
    return type?.enum ?? [];
  });
  // The document names some kinds of event only by the beginning of their type.
  const rowOf = (type: string): string =>
    events.find(({ event }) => event === type || (event.endsWith(".") && type.startsWith(event)))?.event ?? type;
  expect(events.map(({ event }) => event).toSorted()).toEqual([...new Set(told.map(rowOf))].toSorted());
});
