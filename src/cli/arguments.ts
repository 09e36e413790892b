import { InvalidArgumentError } from "commander";
import type { Shard } from "../exam/options.ts";
import type { ClockOption } from "../simulator/simulator-options.ts";

export function portNumber(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new InvalidArgumentError("A port is a number from 0 to 65535.");
  return port;
}

export function count(text: string): number {
  const read = Number(text);
  if (!/^\d+$/.test(text) || !Number.isSafeInteger(read) || read === 0)
    throw new InvalidArgumentError("A count is a whole number of at least 1.");
  return read;
}

export function seconds(text: string): number {
  const read = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || read === 0) throw new InvalidArgumentError("It is a number of seconds above 0.");
  return read;
}

/** Reads an amount as it is written, because the fields of a body have to refuse it by their names. */
export function centavos(text: string): string {
  if (!/^\d+$/.test(text))
    throw new InvalidArgumentError("An amount is a whole number of centavos, such as 49900 for ₱499.00.");
  return text;
}

/** Reads `id=value`. A value that is valid JSON is parsed, so that it can be a number or an object. */
export function assumption(
  text: string,
  previous: Readonly<Record<string, unknown>> = {},
): Readonly<Record<string, unknown>> {
  const [, id, written] = /^([^=]+)=(.*)$/s.exec(text) ?? [];
  if (id === undefined || written === undefined)
    throw new InvalidArgumentError("An assumption is an id and a value, such as checkout.lifetime='30 minutes'.");
  return { ...previous, [id]: jsonOrText(written) };
}

/** Reads `field=value`, and adds it to those before. */
export function field(
  text: string,
  previous: readonly (readonly [path: string, value: string])[] = [],
): readonly (readonly [path: string, value: string])[] {
  const equals = text.indexOf("=");
  if (equals < 1) throw new InvalidArgumentError("It is a field and a value, such as metadata.team=red.");
  return [...previous, [text.slice(0, equals), text.slice(equals + 1)]];
}

/** Reads `3/20`. */
export function shard(text: string): Shard {
  const [, index, of] = (/^(\d{1,9})\/(\d{1,9})$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw new InvalidArgumentError("A shard is its number, counted from 1, and the number of shards, such as 3/20.");
  return { index, of };
}

/** Reads a seed. Only digits means a number, as in a file. */
export function seed(text: string): number | string {
  return /^\d{1,15}$/.test(text) ? Number(text) : text;
}

export function jsonOrText(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Reads `subscription,invoice`. Nothing is meant by a comma at the end. */
export function names(text: string, previous: readonly string[] = []): readonly string[] {
  const [first = "", ...others] = text.split(",").map((name) => name.trim());
  return [...previous, first, ...(others.at(-1) === "" ? others.slice(0, -1) : others)];
}

/** Reads `states=80`. */
export function threshold(
  text: string,
  previous: Readonly<Record<string, number>> = {},
): Readonly<Record<string, number>> {
  const [, part, percent] = /^(\w+)=(\d{1,3}(?:\.\d+)?)$/.exec(text) ?? [];
  if (part === undefined || percent === undefined)
    throw new InvalidArgumentError("A threshold is a part and a percentage, such as states=80.");
  return { ...previous, [part]: Number(percent) };
}

/** Reads `real`, `real:60`, `auto` or `manual`. */
export function clock(text: string): ClockOption {
  if (text === "real" || text === "auto" || text === "manual") return text;
  const [, factor] = /^real:(\d+(?:\.\d+)?)$/.exec(text) ?? [];
  if (factor !== undefined) return { real: Number(factor) };
  throw new InvalidArgumentError("A clock is real, real:60 for a minute in each second, auto or manual.");
}
