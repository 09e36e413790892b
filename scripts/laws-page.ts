import { laws } from "../src/exam/laws/laws.ts";

/** When a law holds, in words. */
const HOLDS = {
  always: "at every moment",
  "at rest": "when everything that was due has happened",
  "in the end": "in the end, when all has healed and the jobs have run",
} as const;

/** Renders every law of the exam as a page, with the name of each as its anchor. */
export function lawsPage(): string {
  const sections = laws.map(({ name, sentence, holds, misunderstanding, remedy, otherBeliefs = [] }) =>
    [
      `## ${name}`,
      `**${sentence}**`,
      `_Holds ${HOLDS[holds]}._`,
      ...[{ misunderstanding, remedy }, ...otherBeliefs].flatMap((belief) => [
        `Likely misunderstanding: ${belief.misunderstanding}`,
        belief.remedy,
      ]),
    ].join("\n\n"),
  );
  return `# The laws of the exam

A failure of the exam names the law that your shop broke. Its section here says how to keep it. \`exam\` of \`centavo/exam\` judges every story by these laws. A law is not judged when the books lack its facts; the verdict then says so. The option \`laws\` makes a law only warn (\`"warn"\`), switches it off (\`"off"\`), or adds one of your own: an object with \`sentence\`, \`remedy\`, \`holds\` and \`breaches\`, a function of the same evidence; \`misunderstanding\` and \`reached\` are optional ([A law of your own](exam.md#a-law-of-your-own)). Where a law has several misunderstandings, the failure names the one that what happened shows.

Before the end of a story, a merchant is judged only by what it can know. It is excused by an event that it has not received yet, by a program that is down, and by a call that fails. In the end nothing excuses it.

${sections.join("\n\n")}
`;
}
