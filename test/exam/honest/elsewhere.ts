import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";

const root = join(import.meta.dirname, "../../..");

/** What an exam said. */
export interface Said {
  readonly text: string;
  readonly digest: string;
  readonly stories: number;
  readonly passed: boolean;
  readonly failures: unknown;
}

/** What is examined elsewhere: the file of `test/exam` that has the options, and how it is called. */
export interface ExamElsewhere {
  readonly file: string;
  /** An expression that returns the options, with an export of the file: `examOfClub("stays open when unpaid")`. */
  readonly options: string;
  readonly stories: number;
}

/** Plays an exam in a process of its own. */
export async function examinedBy(node: string, { file, options, stories }: ExamElsewhere): Promise<Said> {
  const name = options.slice(0, options.indexOf("("));
  const program = `
    import { exam } from ${JSON.stringify(join(root, "src/exam.ts"))};
    import { ${name} } from ${JSON.stringify(join(root, "test/exam", file))};
    const verdict = await exam({ ...${options}, budget: { stories: ${stories} } });
    const { digest, passed, failures } = verdict;
    console.log(JSON.stringify({ text: String(verdict), digest, stories: verdict.stories, passed, failures }));`;
  const run = promisify(execFile);
  const { stdout } = await run(node, ["--input-type=module", "--eval", program], { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout) as Said;
}
