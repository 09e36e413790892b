/** What the exit code of every command says. An interrupted `centavo run` exits with 128 and the number of the signal, as in shells. */
export const exitCodes = { passed: 0, failed: 1, couldNotRun: 2, unfinished: 3 } as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

const meanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  passed: "passed",
  failed: "failed",
  couldNotRun: "could not run",
  unfinished: "unfinished",
};

/** The exit codes for the help of every command. */
export const exitCodesInWords = `Exit codes: ${Object.entries(meanings)
  .map(([name, meaning]) => `${exitCodes[name as keyof typeof exitCodes]} ${meaning}`)
  .join(", ")}.`;
