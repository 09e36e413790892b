import type { AssumptionOverrides } from "../service/assumption-table.ts";
import { actsOn } from "./acts.ts";
import type { Act } from "./acts.ts";
import { differencesBetween, isRecord, pairByMember, weightOf } from "./differences.ts";
import type { Difference, Sides } from "./differences.ts";
import { distanceOf, gistOf } from "./gist.ts";
import { headerDifferences } from "./headers.ts";
import { Names } from "./names.ts";
import type { Step } from "./steps.ts";
import { errorTable } from "../service/error-table.ts";
import { REFUSALS, variantsOf } from "./variants.ts";
import { World } from "./world.ts";
import type { Delivery, Sent, Variant } from "./world.ts";

/** A recorded exchange, and what the world sent in its place. */
export interface Compared {
  readonly step: Step;
  /** Absent where the world sends nothing. */
  readonly sent?: Sent;
  readonly differences: readonly Difference[];
  readonly weight: number;
  /** What comparing needs: names and moments of this exchange. */
  readonly sides: Sides;
}

/** What led to what an exchange shows. */
export interface Choice {
  readonly variant: Variant;
  /** The acts that came before it, in words. */
  readonly acts: readonly string[];
}

/** What was chosen for exchanges, by their place. */
export type Choices = Map<number, Choice>;

/** How a recording is played. */
export interface Manner {
  /** What was chosen in earlier plays. */
  readonly choices: Choices;
  /** Whether to choose for exchanges that do not fit, and to remember it. */
  readonly decides: boolean;
  /** The names that an earlier play has found, where the answers do not have the shape to find them in. */
  readonly names?: Names | undefined;
}

/** A recording that was played. */
export interface Played {
  readonly compared: readonly Compared[];
  /** Deliveries that the world makes and the recording does not have, in the order of the world. */
  readonly surplus: readonly Delivery[];
  readonly weight: number;
  /** The assumptions that the world relied on. */
  readonly used: readonly string[];
  /** The names that were found. */
  readonly names: Names;
}

/** What a delivery that never came counts. */
export const MISSING = 20;
/** How far an answer that asks for a token is from one that does not: further than any other. */
const MISSING_TOKEN = 1000;
/** How many deliveries to come are looked through for the merchant's answer to one. */
const LOOK_AHEAD = 50;

/**
 * Plays a recording in a world under these assumptions.
 */
export async function play(steps: readonly Step[], assumptions: AssumptionOverrides, manner: Manner): Promise<Played> {
  return new Player(steps, assumptions, manner).play();
}

class Player {
  readonly #steps: readonly Step[];
  readonly #choices: Choices;
  readonly #decides: boolean;
  readonly #world: World;
  /** The deliveries that the merchant has not answered in the world yet. */
  readonly #unanswered: Step[];
  /** The status with which the world refuses a call without a token. */
  readonly #unauthorized: number;
  /** How far the world's clock is ahead of the recording's, in milliseconds. */
  #ahead = 0;

  constructor(steps: readonly Step[], assumptions: AssumptionOverrides, { choices, decides, names }: Manner) {
    this.#steps = steps;
    this.#choices = choices;
    this.#decides = decides;
    this.#unauthorized = assumptions["http.error-status"]?.UNAUTHORIZED ?? errorTable.UNAUTHORIZED.status;
    this.#unanswered = steps.filter(({ exchange }) => exchange.kind === "delivery");
    const [webhookUrl] = this.#unanswered.map(({ exchange }) => exchange.request.url);
    this.#world = World.open(assumptions, steps[0]?.at ?? 0, {
      origins: originsIn(steps),
      webhookUrl,
      names: names?.copy() ?? new Names(),
      merchant: (delivery, known) => this.#answerTo(delivery, known),
    });
  }

  async play(): Promise<Played> {
    const world = this.#world;
    const compared: Compared[] = [];
    for (const [index, step] of this.#steps.entries()) {
      await this.#moveTo(world, step.at);
      compared.push(step.exchange.kind === "call" ? await this.#call(step, index) : await this.#deliver(step, index));
    }
    await world.sim.clock.settle();
    const heard = new Set(
      this.#steps.flatMap(({ exchange }) => (exchange.kind === "delivery" ? [exchange.request.url] : [])),
    );
    const surplus = world.deliveries.filter(({ claimed, url }) => !claimed && heard.has(url));
    const used = world.sim.assumptions.used().map(({ id }) => id);
    await world.close();
    const weight = compared.reduce((sum, each) => sum + each.weight, 0) + surplus.length * MISSING;
    return { compared, surplus, weight, used, names: world.names };
  }

  async #moveTo(world: World, at: number): Promise<void> {
    const target = at + this.#ahead;
    if (target > world.now) await world.sim.clock.advanceTo(target);
  }

  async #call(step: Step, index: number): Promise<Compared> {
    const { answer } = step.exchange;
    const gist = gistOf(step.document, answer?.status);
    const outcome = async (world: World, variant: Variant): Promise<number> => {
      const sent = await world.call(step, variant);
      if (this.#lacksToken(step, variant, sent.status)) return MISSING_TOKEN;
      return distanceOf(gistOf(sent.document, sent.status), gist);
    };
    const variants = variantsOf(step, this.#world.names);
    const choice = await this.#choose(step, index, variants, outcome);
    const sent = await this.#world.call(step, choice.variant);
    const sides = this.#sides(step);
    if (
      isRecord(sent.document) &&
      isRecord(step.document) &&
      answer !== undefined &&
      sent.status < 400 === answer.status < 400
    )
      pairByMember(sent.document, step.document, sides.names);
    const differences = [
      ...(sent.status === answer?.status ? [] : [{ path: "status", expected: sent.status, came: answer?.status }]),
      ...headerDifferences(sent, step, "answer"),
      ...bodyDifferences(sent, step, sides),
    ];
    return { step, sent, differences, weight: weightOf(differences), sides };
  }

  /** Whether the world asks for a token where the real service has not: nothing can be learned from what it says then. */
  #lacksToken({ exchange: { answer }, mayHideToken }: Step, { credential }: Variant, status: number): boolean {
    const canTell = mayHideToken && credential === undefined && !REFUSALS.has(answer?.status ?? 0);
    return canTell && status === this.#unauthorized;
  }

  async #deliver(step: Step, index: number): Promise<Compared> {
    const gist = gistOf(step.document);
    const outcome = async (world: World): Promise<number> => {
      const found = this.#findDelivery(world, step);
      return found === undefined ? MISSING : distanceOf(gistOf(found.document), gist);
    };
    await this.#choose(step, index, [{}], outcome);
    const sent = this.#findDelivery(this.#world, step);
    const sides = this.#sides(step);
    if (sent === undefined) {
      const differences = [{ path: "delivery", came: step.document ?? step.text }];
      return { step, differences, weight: MISSING, sides };
    }
    sent.claimed = true;
    const differences = [
      ...headerDifferences(sent, step, "delivery"),
      ...spacingDifferences(sent.text, step.text),
      ...bodyDifferences(sent, step, sides),
    ];
    return { step, sent, differences, weight: weightOf(differences), sides };
  }

  /** Finds the delivery of a world that a recorded one stands for: of the same resource, and with the same status. */
  #findDelivery(world: World, step: Step): Delivery | undefined {
    const named = world.names.namesIn(step.text ?? "");
    const open = world.deliveries.filter(({ claimed }) => !claimed);
    const shared = open.filter(({ text }) => named.some((name) => text.includes(name)));
    const gist = gistOf(step.document);
    return shared.find(({ document }) => distanceOf(gistOf(document), gist) === 0) ?? shared[0];
  }

  /** Chooses what led to what an exchange shows, and performs it in the world. */
  async #choose(
    step: Step,
    index: number,
    variants: readonly Variant[],
    outcome: (world: World, variant: Variant) => Promise<number>,
  ): Promise<Choice> {
    const known = this.#choices.get(index);
    const named = this.#world.names.namesIn(`${step.path} ${step.text ?? ""} ${step.exchange.request.body ?? ""}`);
    if (known !== undefined) {
      if (known.acts.length > 0)
        await this.#perform(actsOn(this.#world.sim, named).find((each) => inWords(each) === inWords(known.acts)) ?? []);
      return known;
    }
    const [first = {}] = variants;
    const plain = { variant: first, acts: [] };
    if (!this.#decides) return plain;
    let best: { readonly distance: number; readonly choice: Choice; readonly acts: readonly Act[] } | undefined;
    const consider = async (variant: Variant, acts: readonly Act[]): Promise<boolean> => {
      const fork = this.#world.fork();
      try {
        for (const act of acts) await act.perform(fork.sim);
        const distance = await outcome(fork, variant);
        if (best === undefined || distance < best.distance)
          best = { distance, choice: { variant, acts: acts.map(({ words }) => words) }, acts };
        return distance === 0;
      } catch {
        // The world does not allow the act.
        return false;
      } finally {
        await fork.close();
      }
    };
    let isFound = false;
    for (const variant of variants) if (!isFound) isFound = await consider(variant, []);
    if (!isFound)
      for (const acts of actsOn(this.#world.sim, named)) if (!isFound) isFound = await consider(first, acts);
    if (best === undefined) return plain;
    if (best.distance === 0 || best.choice.acts.length > 0 || best.choice.variant !== first)
      this.#choices.set(index, best.choice);
    await this.#perform(best.acts);
    return best.choice;
  }

  async #perform(acts: readonly Act[]): Promise<void> {
    const before = this.#world.now;
    for (const act of acts) await act.perform(this.#world.sim);
    this.#ahead += this.#world.now - before;
  }

  /** Returns the status with which the merchant answered the delivery that was recorded. */
  #answerTo(delivery: Delivery, names: Names): number {
    const gist = gistOf(delivery.document);
    const place = this.#unanswered
      .slice(0, LOOK_AHEAD)
      .findIndex(
        ({ text, document }) =>
          names.namesIn(text ?? "").some((name) => delivery.text.includes(name)) &&
          distanceOf(gistOf(document), gist) === 0,
      );
    if (place === -1) return 200;
    const [step] = this.#unanswered.splice(place, 1);
    return step?.exchange.answer?.status ?? 200;
  }

  #sides(step: Step): Sides {
    return { names: this.#world.names, moments: { world: this.#world.now, recorded: step.at } };
  }
}

/** Returns where the body of a recorded exchange differs. What is no JSON is compared as text; pages of a browser are not. */
function bodyDifferences(sent: Sent, step: Step, sides: Sides): Difference[] {
  if (sent.document === undefined && step.document === undefined) return [];
  return differencesBetween(sent.document, step.document, sides, "body");
}

/** A receiver that signs its own writing of the JSON sees how the service spaces it. */
function spacingDifferences(own: string, recorded = ""): Difference[] {
  const [expected, came] = [own, recorded].map((text) => (isSpaced(text) ? "spaced" : "compact"));
  return expected === came || recorded === "" ? [] : [{ path: "spacing", expected, came }];
}

function isSpaced(json: string): boolean {
  return /\s/.test(json.replaceAll(/"[^"\\]*(?:\\[^][^"\\]*)*"/g, ""));
}

function inWords(acts: readonly (Act | string)[]): string {
  return acts.map((act) => (typeof act === "string" ? act : act.words)).join("; ");
}

/** Returns the origins of the merchant: those to which deliveries went, and those that its calls give as receivers. */
function originsIn(steps: readonly Step[]): readonly string[] {
  const urls = steps.flatMap(({ exchange: { kind, request } }) =>
    kind === "delivery"
      ? [request.url]
      : [...(request.body ?? "").matchAll(/https?:\/\/[^\s"'\\<>]+/g)].map(([url]) => url),
  );
  return [...new Set(urls.filter((url) => URL.canParse(url)).map((url) => new URL(url).origin))];
}
