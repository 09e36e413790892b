import type { Trouble } from "./trouble.ts";

const doubleClick: Trouble = {
  name: "double click",
  at: "act",
  order: "likely",
  onAct: { clicks: 2 },
  sentence: (_point, who) => `${who} clicks twice.`,
};

export const backButton: Trouble = {
  name: "back button",
  at: "act",
  onAct: { afterwards: ({ again, step }) => again(step.act) },
  sentence: (_point, who) => `${who} goes back and does the same again.`,
};

export const secondTries: readonly Trouble[] = [doubleClick, backButton];
