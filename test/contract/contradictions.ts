/** What was seen in this test file that contradicts the OpenAPI document. */
const seen: string[] = [];
const checks = new Set<Promise<void>>();

export const contradictions = {
  /** Keeps a contradiction; a check that is still under way is waited for. */
  note(problem: string | undefined | Promise<string | undefined>): void {
    if (problem instanceof Promise) {
      const check = problem.then((found) => contradictions.note(found)).finally(() => checks.delete(check));
      checks.add(check);
    } else if (problem !== undefined) seen.push(problem);
  },

  /** Gives all that was kept, and forgets it. */
  async take(): Promise<string[]> {
    await Promise.all(checks);
    return seen.splice(0);
  },

  /** Fails whoever calls it where something was kept. */
  async report(): Promise<void> {
    const problems = await contradictions.take();
    if (problems.length > 0) throw new Error(`The OpenAPI document was contradicted:\n${problems.join("\n\n")}`);
  },
};
