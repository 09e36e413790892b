/** The names that a story gives its customers, by their ids. In a crowd the others have none. */
const NAMES: Readonly<Record<string, string>> = { "order-2": "Ben", "last-1": "Carla" };
const ANA = "Ana";

export function nameOf(id: string): string {
  return NAMES[id] ?? (/^(order|member)-(?!1$)/.test(id) ? `the customer of ${id}` : ANA);
}

/** Whether a sentence begins with the name of a customer, which stays capital wherever it stands. */
export function beginsWithName(sentence: string): boolean {
  return [ANA, ...Object.values(NAMES)].some((name) => sentence.startsWith(name));
}
