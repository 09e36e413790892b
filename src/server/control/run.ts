import * as z from "zod/mini";
import { explanationOf, reportOf } from "../../report/causes/cause-report.ts";
import type { Explanation } from "../../report/causes/cause-report.ts";
import type { UsedAssumption } from "../../service/assumption-table.ts";
import type { Recording } from "../../simulator/payment-recording.ts";
import { textAnswer } from "./control.ts";
import { anObject, asIs } from "./as-is.ts";
import { control } from "./route.ts";
import type { ControlRoute } from "./route.ts";

const used = asIs<UsedAssumption>({
  ...anObject,
  required: ["id", "question", "answer", "values", "changed"],
  properties: {
    id: { type: "string" },
    question: { type: "string" },
    answer: { type: "string" },
    values: { type: "string" },
    value: {},
    changed: { type: "boolean" },
  },
});
const explanation = asIs<Explanation & { readonly text: string }>({
  ...anObject,
  required: ["causes", "text"],
  properties: {
    causes: {
      type: "array",
      items: {
        type: "object",
        required: ["name", "sentence", "wayOut"],
        properties: { name: { type: "string" }, sentence: { type: "string" }, wayOut: { type: "string" } },
      },
    },
    nothingFound: anObject,
    text: { type: "string" },
  },
});

/** What was seen and assumed in a run, and what explains its failure. */
export const runRoutes: readonly ControlRoute[] = [
  control({
    name: "assumptions.inForce",
    summary: "Returns every assumption of the service document, with the value in force unless the answer is fixed",
    method: "GET",
    path: "/assumptions",
    data: z.object({ assumptions: asIs<object>(anObject) }),
    perform: async ({ sim }) => ({ assumptions: (await sim.openapi())["x-centavo-assumptions"] }),
  }),
  control({
    name: "assumptions.used",
    summary: "Lists the assumptions that the run relied on",
    method: "GET",
    path: "/assumptions/used",
    data: z.object({ assumptions: z.array(used) }),
    members: { "assumptions.used": { gives: "assumptions" } },
    perform: ({ sim }) => ({ assumptions: sim.assumptions.used() }),
  }),
  control({
    name: "report",
    summary: "Returns the report of the run so far: one HTML document",
    method: "GET",
    path: "/report",
    text: "text/html",
    members: { report: {} },
    perform: async ({ sim }) => textAnswer("text/html", await sim.report()),
  }),
  control({
    name: "recording",
    summary: "Returns the run so far for `replay`: the options of the world, and every input from outside",
    method: "GET",
    path: "/recording",
    data: asIs<Recording>(anObject),
    members: { recording: {} },
    perform: ({ sim }) => sim.recording(),
  }),
  control({
    name: "coverage",
    summary:
      "Returns what of the service the run went through. `only` names kinds of resource, with commas between them",
    method: "GET",
    path: "/coverage",
    query: z.object({ only: z.exactOptional(z.string()) }),
    data: z.object({ coverage: asIs<object>(anObject), table: z.string() }),
    members: { coverage: {} },
    perform: async ({ sim }, { query: { only } }) => {
      const coverage = await sim.coverage(only === undefined ? {} : { only: only.split(",") });
      return { coverage, table: String(coverage) };
    },
  }),
  control({
    name: "openapi",
    summary: "Returns the OpenAPI document of the service, under the assumptions of the world",
    method: "GET",
    path: "/service/openapi.json",
    data: asIs<object>(anObject),
    members: { openapi: {} },
    perform: ({ sim }) => sim.openapi(),
  }),
  control({
    name: "causes",
    summary: "Explains a failed test: the likely causes, best first, and a text with the end of the timeline",
    method: "POST",
    path: "/causes",
    whenFull: true,
    whenOwned: true,
    body: z.object({
      message: z.exactOptional(z.string()),
      stack: z.exactOptional(z.string()),
      code: z.exactOptional(z.string()),
    }),
    data: explanation,
    members: { causes: {} },
    perform: ({ sim }, { body }) => {
      const error = Object.keys(body).length === 0 ? undefined : Object.assign(new Error(body.message), body);
      return { ...explanationOf(sim, error, {}), text: reportOf(sim, error) };
    },
  }),
];
