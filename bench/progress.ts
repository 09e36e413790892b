/** Says on the last line of a terminal what is under way; silent where nobody watches. */
export function showProgress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[2K${text}`);
}

export function endProgress(): void {
  showProgress("");
}
