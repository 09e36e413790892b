import { onlyWithCustomers } from "../../troubles/in-shake.ts";
import type { Trouble } from "./trouble.ts";

const doubleClick: Trouble = {
  name: "double click",
  at: "act",
  inShake: onlyWithCustomers,
  order: "likely",
  onAct: { clicks: 2 },
  sentence: (_point, who) => `${who} clicks twice.`,
};

export const backButton: Trouble = {
  name: "back button",
  at: "act",
  inShake: onlyWithCustomers,
  onAct: { afterwards: ({ again, step }) => again(step.act) },
  sentence: (_point, who) => `${who} goes back and does the same again.`,
};

export const secondTries: readonly Trouble[] = [doubleClick, backButton];
