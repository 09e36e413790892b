/** `node scripts/inspector-page.ts` builds the page of the inspector, as `scripts/report-page.ts` builds that of the report. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod/mini";
import { routesIn } from "../src/kit/declaration/define-service.ts";
import { recurrenceFields } from "../src/kit/faults/recurrence.ts";
import type { FaultField, FaultSection } from "../src/server/inspector/page/faults/vocabulary.ts";
import { paymentService } from "../src/service/service.ts";
import { declaredKinds, faultSections } from "./faults-page.ts";
import { builtPageOf } from "./built-page.ts";
import { root } from "./suites.ts";

/** The module that holds the built page. */
export const inspectorPageFile = join(root, "src/server/inspector/built-page.ts");

/** Returns the source of the module. */
export async function inspectorPage(): Promise<string> {
  return builtPageOf("src/server/inspector/page", "scripts/inspector-page.ts", {
    "fault-vocabulary": inspectorVocabulary,
  });
}

/** Returns what the page knows of faults. */
export function inspectorVocabulary() {
  return { sections: sections(), recurrence: recurrence() };
}

/** Every kind of fault with its sentence and its fields, from its declaration and its text. */
function sections(): readonly FaultSection[] {
  return faultSections.map(({ title, texts }) => ({
    title,
    kinds: declaredKinds.flatMap(({ kind, fields, selectors }) => {
      const text = texts[kind];
      if (text === undefined) return [];
      return [
        {
          kind,
          does: text.does,
          fields: fields.map(({ name, isRequired, schema }) =>
            fieldOf(name, schema, { isRequired, means: text.fields[name] ?? "" }),
          ),
          selectors: selectors.map((name) => fieldOf(name, undefined, wordsFor(name))),
          example: text.options,
        },
      ];
    }),
  }));
}

function recurrence(): readonly FaultField[] {
  return Object.entries(recurrenceFields).map(([name, schema]) => fieldOf(name, schema));
}

function fieldOf(name: string, schema: z.ZodMiniType | undefined, more: Partial<FaultField> = {}): FaultField {
  const { type, enum: words }: z.core.JSONSchema.BaseSchema =
    schema === undefined ? {} : z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  const choices = type === "boolean" ? ["true", "false"] : words?.filter((word) => typeof word === "string");
  return {
    name,
    ...(type === "string" && { isText: true }),
    ...(choices !== undefined && { choices }),
    ...more,
  };
}

/** The names that a selector knows. */
function wordsFor(selector: string): Pick<FaultField, "choices"> {
  if (selector === "route") return { choices: routesIn(paymentService).map(({ name }) => name) };
  return selector === "event" ? { choices: paymentService.eventTypes } : {};
}

if (process.argv[1] === import.meta.filename) writeFileSync(inspectorPageFile, await inspectorPage());
