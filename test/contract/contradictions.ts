/** The contradictions of the OpenAPI document that this test file has met. */
const seen: string[] = [];
const checks = new Set<Promise<void>>();

export const contradictions = {
  /** True in a file whose worlds try hundreds of sets of values, each of which would have a document of its own. */
  isPaused: false,

  /** Keeps a contradiction. A check that is still under way reports its own when it ends. */
  note(problem: string | undefined | Promise<string | undefined>): void {
    if (problem instanceof Promise) {
      const check = problem.then((found) => contradictions.note(found)).finally(() => checks.delete(check));
      checks.add(check);
    } else if (problem !== undefined) seen.push(problem);
  },

  /** Returns all contradictions, and forgets them. */
  async take(): Promise<string[]> {
    await Promise.all(checks);
    return seen.splice(0);
  },

  /** Throws if a contradiction was kept. */
  async report(): Promise<void> {
    const problems = await contradictions.take();
    if (problems.length > 0) throw new Error(`The OpenAPI document was contradicted:\n${problems.join("\n\n")}`);
  },
};
