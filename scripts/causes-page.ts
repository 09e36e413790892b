import { subjects } from "../src/report/causes/causes.ts";

/** Renders every cause of a failed test as a page, with the name of each as its anchor. */
export function causesPage(): string {
  const sections = subjects.map(({ title, causes }) =>
    [
      `## ${title}`,
      ...causes.map(({ name, looksAt, explanation }) => `### ${name}\n\n_Looks at ${looksAt}._\n\n${explanation}`),
    ].join("\n\n"),
  );
  return `# Why a test failed

Find out why your test failed. A failed test of \`simulated\` or \`withSimulator\` prints at most 30 lines below its own message, and so does \`await explain(sim, error)\` by hand. [runners.md](runners.md#when-a-test-fails) shows an example and the options. The first line names the likely cause. Each cause has a section here.

Several causes may fit. A cause that the test's own error speaks of comes first, then mistakes that were certainly made, then what is only likely; the others follow as "Also". When none fits, the report says what did not succeed, or that every call succeeded. It cannot know what your app makes of an answer, such as a status that it misspells, so it names the last status and webhook: compare them with what your app and the test expect.

${sections.join("\n\n")}
`;
}
