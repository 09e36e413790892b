/**
 * The exit codes of a command that ends by itself. Its help says more. A command that a signal has interrupted exits with 128 and the number
 * of the signal, as in shells, with two exceptions: an interrupted exam is unfinished, or failed if it has found a broken law; and
 * `centavo serve` exits with 0 once it has answered and delivered what it had to, else with 3.
 */
export const exitCodes = { passed: 0, failed: 1, couldNotRun: 2, unfinished: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  passed: "passed",
  failed: "failed",
  couldNotRun: "could not run",
  unfinished: "unfinished",
};

/** The exit codes for the help of the program. */
export const exitCodesInWords = `Exit codes: ${Object.entries(meanings)
  .map(([name, meaning]) => `${exitCodes[name as keyof typeof exitCodes]} ${meaning}`)
  .join(", ")}.`;
