/** Prints a warning of the process, which is seen even where no failed test reports it. A browser prints none. */
export function warnProcess(message: string): void {
  globalThis.process?.emitWarning?.(message, "CentavoWarning");
}
