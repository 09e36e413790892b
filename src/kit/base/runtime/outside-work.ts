/** What Node calls the work that a program does outside its own thread: connections, files, look-ups of names, other threads and processes. */
const WORK =
  /^(TCPSocketWrap|TCPConnectWrap|PipeConnectWrap|FSReq|GetAddrInfo|GetNameInfo|QueryReq|ProcessWrap|MessagePort|Worker)/;

/** Returns how much work outside its own thread the process waits for, as far as Node tells; 0 elsewhere. */
export function outsideWork(): number {
  return resources().filter((name) => WORK.test(name)).length;
}

/** Whether the process has a child process, as far as Node tells. */
export function hasChildProcess(): boolean {
  return resources().includes("ProcessWrap");
}

function resources(): readonly string[] {
  return globalThis.process?.getActiveResourcesInfo?.() ?? [];
}
