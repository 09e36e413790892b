/** Returns the command that replays a recording without the test and its shop. */
export function replayCommand(recording: string): string {
  return commandLine(["npx", "centavo", "replay", recording]);
}

/** Quotes words so that a shell reads them as given. */
export function commandLine(words: readonly string[]): string {
  return words.map(quoted).join(" ");
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}
