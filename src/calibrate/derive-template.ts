import { templateComplaint } from "../kit/assumptions/template-complaint.ts";
import type { Json, Placeholders, Template } from "../kit/assumptions/template.ts";
import { isRecord } from "./differences.ts";
import { likeness, likenessOfNames } from "./likeness.ts";
import type { Sample } from "./likeness.ts";
import { momentOf } from "./moments.ts";
import { piecesOfText } from "./text-pieces.ts";

/** What a leaf of a template may be. */
interface Leaf {
  readonly kind: "leaf";
  readonly member: string;
  /** What the documents say there, if all say the same. */
  readonly literal: Json | undefined;
  /** The text of the leaf with placeholders in it, the best first. */
  readonly readings: readonly Reading[];
  /** What stands there in the first document. */
  readonly first: unknown;
  chosen: string | undefined;
}

interface Reading {
  readonly text: string;
  /** How well it fits, from 0 to 1; and with what names tell, its score against others. */
  readonly fit: number;
  readonly score: number;
}

type Node =
  | Leaf
  | { readonly kind: "object"; readonly members: readonly (readonly [name: string, node: Node])[] }
  | { readonly kind: "list"; readonly items: readonly Node[] };

/** Every value of an object is the world's, but for rounding. */
const EXACT = 0.999;
const ALIKE = 0.5;
/** What a leaf counts that says the same in every document. */
const LITERAL = 0.6;
/** `true` and `false` are too common to tell where they come from. */
const LITERAL_BOOLEAN = 1.2;
/** An id or a token, which is not the same in every document. */
const MADE_UP = /^(?=.*\d)(?=.*[a-z])\S{16,}$/i;
const NAME = 0.3;
/** A reading that fits this little stands for nothing. */
const LEAST = 0.15;

/**
 * Derives templates that may shape recorded documents, from what a world would fill in. The likeliest comes first: one that takes objects
 * of the service as a whole only where nothing in them differs.
 */
export function deriveTemplates(samples: readonly Sample[], known: Placeholders): readonly Template[] {
  if (samples.length === 0) return [];
  const orders = Object.keys(known.lists ?? {});
  const templates = [EXACT, ALIKE].flatMap((least) =>
    // Two lists may be of one length in every document.
    (orders.length > 1 ? [orders, orders.toReversed()] : [orders]).map((lists) => {
      const leaves: Leaf[] = [];
      const node = nodeOf(samples, "", { lists, least, leaves });
      tellApart(leaves);
      meetRequirements(leaves, known, samples);
      return written(node);
    }),
  );
  const fitting = templates.filter((template) => templateComplaint(template, known) === undefined);
  return [...new Map(fitting.map((template) => [JSON.stringify(template), template])).values()];
}

/** How a template is derived. */
interface Manner {
  readonly lists: readonly string[];
  /** How much of an object or a list has to be alike, so that it is the service's own as a whole. */
  readonly least: number;
  /** Gathers the leaves. */
  readonly leaves: Leaf[];
}

function nodeOf(samples: readonly Sample[], member: string, manner: Manner): Node {
  const { least, leaves } = manner;
  const present = samples.filter(({ part }) => part !== undefined);
  const whole = readingsOf(samples, member);
  const isMember = isWhole(whole, least) && !isWithin(present, whole);
  if (present.every(({ part }) => isRecord(part)) && !isMember) {
    const names = [...new Set(present.flatMap(({ part }) => Object.keys(part as object)))];
    if (names.length > 0)
      return {
        kind: "object",
        members: names.map((name) => [
          name,
          nodeOf(
            present.map(({ part, ...rest }) => ({ ...rest, part: (part as Readonly<Record<string, unknown>>)[name] })),
            name,
            manner,
          ),
        ]),
      };
  }
  if (present.every(({ part }) => Array.isArray(part)) && !isWhole(whole, least)) {
    const items = itemsOf(present, member, manner);
    if (items !== undefined) return { kind: "list", items };
  }
  return leafOf(samples, member, whole, leaves);
}

/** Whether one member of a part holds as much of the world's object as the part itself. */
function isWithin(samples: readonly Sample[], [best]: readonly Reading[]): boolean {
  const names = new Set(samples.flatMap(({ part }) => (isRecord(part) ? Object.keys(part) : [])));
  return [...names].some((name) => {
    const inner = samples.map(({ part, fills, sides }) => ({
      part: isRecord(part) ? part[name] : undefined,
      fills,
      sides,
    }));
    const found = readingsOf(inner, "").find(({ text }) => text === best?.text);
    return found !== undefined && best !== undefined && found.fit >= best.fit;
  });
}

/** Whether a part stands for one of the service's objects or lists as a whole. */
function isWhole([best]: readonly Reading[], least: number): boolean {
  return best !== undefined && best.fit >= least;
}

function itemsOf(samples: readonly Sample[], member: string, manner: Manner): readonly Node[] | undefined {
  const lengths = samples.map(({ part }) => (part as readonly unknown[]).length);
  for (const list of manner.lists) {
    if (Math.max(...lengths) === 0) break;
    // Another assumption may make one of the lists longer.
    const fitting = samples.filter(({ fills }, index) => (fills.lists[list] ?? []).length === lengths[index]);
    if (fitting.length * 2 < samples.length) continue;
    const own: Leaf[] = [];
    const items = fitting.flatMap(({ part, fills, sides }) =>
      (part as readonly unknown[]).map((item, index): Sample => {
        const named: readonly (readonly [string, unknown])[] = Object.entries(fills.lists[list]?.[index] ?? {}).map(
          ([name, value]) => [`${list}.${name}`, value],
        );
        // What belongs to the list comes first, so that it is preferred.
        return { part: item, sides, fills: { ...fills, values: { ...Object.fromEntries(named), ...fills.values } } };
      }),
    );
    const node = nodeOf(items, member, { ...manner, lists: [], leaves: own });
    if (!own.some(({ chosen }) => chosen?.includes(`{${list}.`))) continue;
    manner.leaves.push(...own);
    return [node];
  }
  const [length = 0] = lengths;
  if (lengths.some((each) => each !== length)) return undefined;
  return Array.from({ length }, (_, index) =>
    nodeOf(
      samples.map(({ part, ...rest }) => ({ ...rest, part: (part as readonly unknown[])[index] })),
      member,
      manner,
    ),
  );
}

function leafOf(samples: readonly Sample[], member: string, whole: readonly Reading[], leaves: Leaf[]): Leaf {
  const texts = new Set(samples.map(({ part }) => JSON.stringify(part)));
  const first = samples.find(({ part }) => part !== undefined)?.part;
  const literal = texts.size === 1 && first !== undefined ? (first as Json) : undefined;
  const readings = [
    ...whole,
    ...piecesOfText(samples).map(({ text, score }) => ({ text, fit: score, score })),
  ].toSorted((left, right) => right.score - left.score);
  const [best] = readings;
  const against =
    literal === undefined || (typeof literal === "string" && MADE_UP.test(literal))
      ? LEAST
      : typeof literal === "boolean" || literal === null
        ? LITERAL_BOOLEAN
        : LITERAL;
  const chosen = best !== undefined && best.score >= against ? best.text : undefined;
  const leaf: Leaf = { kind: "leaf", member, literal, readings, first, chosen };
  leaves.push(leaf);
  return leaf;
}

/** Returns the placeholders that may stand for a part as a whole, the best first. */
function readingsOf(samples: readonly Sample[], member: string): readonly Reading[] {
  const names = [...new Set(samples.flatMap(({ fills }) => Object.keys(fills.values)))];
  const readings = names.flatMap((name): Reading[] => {
    const scores = samples.flatMap(({ part, fills, sides }) => {
      const fill = fills.values[name];
      if (part === undefined) return fill === undefined ? [] : [0];
      return [likeness(part, fill, sides)];
    });
    const sum = scores.reduce((total, score) => total + score, 0);
    if (sum === 0) return [];
    // A part that some documents lack, as they lack the value, tells more than one that all have.
    const isTelling = scores.length < samples.length && scores.every((score) => score > 0);
    const fit = sum / scores.length;
    const score = fit + NAME * likenessOfNames(member, name) + (isTelling ? NAME : 0);
    return [{ text: `{${name}}`, fit, score }];
  });
  return readings.toSorted((left, right) => right.score - left.score);
}

/** One id or token cannot stand for two that differ: the likelier leaf keeps it, and the other gets the next that may stand there. */
function tellApart(leaves: readonly Leaf[]): void {
  const taken = new Map<string, string>();
  const scoreOf = ({ readings, chosen }: Leaf): number => readings.find(({ text }) => text === chosen)?.score ?? 0;
  for (const leaf of leaves.toSorted((left, right) => scoreOf(right) - scoreOf(left))) {
    const { first, readings, chosen } = leaf;
    if (chosen === undefined || typeof first !== "string" || /\s/.test(first) || momentOf(first) !== undefined)
      continue;
    const isFree = (text: string): boolean => (taken.get(text) ?? first) === first;
    if (!isFree(chosen)) leaf.chosen = readings.find(({ text, score }) => score >= LEAST && isFree(text))?.text;
    if (leaf.chosen !== undefined) taken.set(leaf.chosen, first);
  }
}

/** Gives each placeholder that a template must have a place in it. */
function meetRequirements(leaves: readonly Leaf[], { required }: Placeholders, samples: readonly Sample[]): void {
  const groups = required.map((names) => names.split("|"));
  const isMet = (group: readonly string[]): boolean => leaves.some(({ chosen }) => holds(chosen, group));
  for (const group of groups) {
    if (isMet(group)) continue;
    const options = leaves.flatMap((leaf) => group.flatMap((name) => optionOf(leaf, name)));
    const met = groups.filter(isMet);
    // All but a few are free, so this ends soon.
    options
      .toSorted((left, right) => right.score - left.score)
      .some(({ leaf, text }) => {
        const before = leaf.chosen;
        leaf.chosen = text;
        const isFree = met.every(isMet);
        if (!isFree) leaf.chosen = before;
        return isFree;
      });
  }

  function optionOf(leaf: Leaf, name: string): readonly { leaf: Leaf; text: string; score: number }[] {
    const text = `{${name}}`;
    const reading = leaf.readings.find((each) => each.text === text);
    if (reading !== undefined) return [{ leaf, text, score: 1 + reading.score }];
    // A name of the real service's own: what is a sentence stands for a sentence, and a word for a word.
    const fill = samples.map(({ fills }) => fills.values[name]).find((value) => typeof value === "string");
    if (name.includes(".") || typeof fill !== "string" || typeof leaf.first !== "string" || leaf.first === "")
      return [];
    if (/\s/.test(fill) !== /\s/.test(leaf.first)) return [];
    return [{ leaf, text, score: likenessOfNames(leaf.member, name) + (leaf.chosen === undefined ? 0.1 : 0) }];
  }
}

function holds(chosen: string | undefined, group: readonly string[]): boolean {
  return chosen !== undefined && group.some((name) => chosen.includes(`{${name}}`));
}

function written(node: Node): Template {
  if (node.kind === "object") return Object.fromEntries(node.members.map(([name, member]) => [name, written(member)]));
  if (node.kind === "list") return node.items.map(written);
  return node.chosen ?? literalOf((node.literal ?? node.first ?? null) as Json);
}

/** Writes what a document says literally: its braces are no placeholders. */
function literalOf(value: Json): Json {
  if (typeof value === "string") return value.replaceAll(/[{}]/g, "$&$&");
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((item: Json) => literalOf(item));
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, literalOf(part)]));
}
