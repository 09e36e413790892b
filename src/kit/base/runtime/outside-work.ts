/** What Node calls the work that a program does outside its own thread: connections, files, look-ups of names, other threads and processes. */
const WORK =
  /^(TCPSocketWrap|TCPConnectWrap|PipeConnectWrap|FSReq|GetAddrInfo|GetNameInfo|QueryReq|ProcessWrap|MessagePort|Worker)/;

/** Returns how much work outside its own thread the process waits for, as far as Node tells; 0 elsewhere. */
export function outsideWork(): number {
  const resources = globalThis.process?.getActiveResourcesInfo?.() ?? [];
  return resources.filter((name) => WORK.test(name)).length;
}
