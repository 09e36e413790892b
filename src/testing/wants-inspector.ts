/** Whether the user wants to see the worlds of tests. What shows them is loaded only then. */
export function wantsInspector(): boolean {
  const { process } = globalThis as { readonly process?: Partial<NodeJS.Process> };
  // A browser has no folder to share.
  if (process?.getBuiltinModule === undefined) return false;
  return !["", "0", "false", undefined].includes(process.env?.["CENTAVO_INSPECT"]);
}
