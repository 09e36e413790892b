/** Whether the user wants to see the worlds of tests. What shows them is loaded only then. */
export function wantsInspector(): boolean {
  return !["", "0", "false", undefined].includes(globalThis.process?.env["CENTAVO_INSPECT"]);
}
