import { titleInWords } from "../../inspected/records.ts";
import type { Opened } from "../../inspected/records.ts";
import type { HostedWorlds } from "../hosted-worlds.ts";
import { describeWorld } from "../inspector/about-worlds.ts";
import { FollowedTest } from "./followed-test.ts";
import type { TestsListener } from "./world-files.ts";

/** How many worlds of tests that have ended stay to be looked at. */
const MOST_ENDED = 200;

/** The worlds of a run's tests, each at an address that the next run of its test takes over, unless its options have changed. */
export class RunWorlds implements TestsListener {
  readonly #worlds: HostedWorlds;
  readonly #mostEnded: number;
  /** By title, in the order in which they were opened. */
  readonly #tests = new Map<string, { readonly name: string; readonly test: FollowedTest }>();
  #count = 0;

  constructor(worlds: HostedWorlds, mostEnded = MOST_ENDED) {
    this.#worlds = worlds;
    this.#mostEnded = mostEnded;
  }

  async opened(opened: Opened): Promise<FollowedTest> {
    const title = this.#titleFor(opened);
    const earlier = this.#tests.get(title);
    const test = new FollowedTest(opened, earlier?.test);
    const isSame = test.sim === earlier?.test.sim;
    const name = isSame ? earlier.name : `test-${(this.#count += 1)}`;
    // The newest is the last.
    this.#tests.delete(title);
    this.#tests.set(title, { name, test });
    this.#describe(test, title);
    if (isSame) return test;
    if (earlier !== undefined) await this.#worlds.end(earlier.name);
    this.#worlds.adopt(name, test.sim);
    return test;
  }

  async ended(test: FollowedTest): Promise<void> {
    const [title] = [...this.#tests].find(([, { test: known }]) => known === test) ?? [];
    // Another run of the test may have taken its place.
    if (title === undefined) return;
    this.#describe(test, title);
    const ended = [...this.#tests].filter(([, world]) => world.test.hasEnded);
    for (const [old, { name }] of ended.slice(0, Math.max(0, ended.length - this.#mostEnded))) {
      this.#tests.delete(old);
      await this.#worlds.end(name);
    }
  }

  /** Tests of one title that run at the same time, in different processes, are told apart by numbers. */
  #titleFor(opened: Opened): string {
    const title = titleInWords(opened.title);
    const isTaken = (one: string): boolean => {
      const test = this.#tests.get(one)?.test;
      return test !== undefined && !test.hasEnded && test.opened.pid !== opened.pid;
    };
    let free = title;
    for (let number = 2; isTaken(free); number += 1) free = `${title} · ${number}`;
    return free;
  }

  #describe({ sim, problem, hasEnded }: FollowedTest, title: string): void {
    describeWorld(sim, {
      title: problem === undefined ? title : `${title} (not followed to its end: ${problem})`,
      ownedBecause: hasEnded
        ? "The test of this world has ended, and nothing changes it any more."
        : "Its test alone changes this world and moves its clock.",
      isEnded: hasEnded,
    });
  }
}
