import { deriveTemplates } from "./derive-template.ts";
import { partOfDocument, probeOf, probesIn } from "./probe.ts";
import type { Search } from "./search.ts";
import { rows, templatesOf, withPart } from "./slots.ts";
import type { TemplateSlot } from "./slots.ts";
import { nameOf } from "./values.ts";
import type { ProbedSample } from "./values.ts";

/** Derives templates, those around others first: a probe shows nothing of what stands within it. */
export async function fitTemplates(search: Search): Promise<void> {
  let open = rows.flatMap(templatesOf);
  while (open.length > 0 && search.isOpen) {
    const seen = await probe(search, open);
    const shown = open.filter((slot) => seen.has(nameOf(slot)));
    if (shown.length === 0) return;
    // What stands within another is told as it is now, not as a probe of its own.
    const samples = shown.length === open.length ? seen : await probe(search, shown);
    for (const slot of shown) {
      const { row, path, known } = slot;
      const found = samples.get(nameOf(slot)) ?? [];
      if (!found.some(({ differs }) => differs)) continue;
      for (const template of deriveTemplates(found, known))
        await search.takeIfBetter(row, withPart(search.valueOf(row), path, template));
    }
    open = open.filter((slot) => !shown.includes(slot));
  }
}

/** Plays with a probe in each of these templates, and returns what the outermost show, by the names of their slots. */
export async function probe(
  search: Search,
  slots: readonly TemplateSlot[],
): Promise<ReadonlyMap<string, readonly ProbedSample[]>> {
  const values: Record<string, unknown> = { ...search.values };
  for (const slot of slots) {
    const { row, path, known } = slot;
    values[row.id] = withPart(values[row.id] ?? row.value, path, probeOf(nameOf(slot), known));
  }
  const probed = await search.try(values);
  const samples = new Map<string, ProbedSample[]>();
  for (const [index, { step, sent }] of probed.compared.entries()) {
    const answer = step.exchange.kind === "call" ? step.exchange.answer?.status : 200;
    const { sides, weight = 0 } = search.played.compared[index] ?? {};
    if (sent === undefined || step.document === undefined || answer === undefined || sides === undefined) continue;
    if (answer < 400 !== sent.status < 400) continue;
    for (const { slot, path, fills } of probesIn(sent.document)) {
      const part = partOfDocument(step.document, path);
      if (part === undefined) continue;
      const found = samples.get(slot) ?? [];
      found.push({ part, fills, sides, differs: weight > 0, source: step.exchange.source });
      samples.set(slot, found);
    }
  }
  return samples;
}
