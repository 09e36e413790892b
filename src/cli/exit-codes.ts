/**
 * What the exit code of a command says that ends by itself; the help of each says more. An interrupted `centavo run` exits with 128 and the number of the signal, as in
 * shells; an interrupted exam is unfinished, or failed if it has found a broken law; and `centavo serve` exits with 0 once it
 * has answered and delivered what it had to, else with 3.
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
