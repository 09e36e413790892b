/** Compares two secrets in a time that depends on the length of the given one alone, so that it tells nothing about the other. */
export function areEqualSecrets(given: Pick<string, "length" | "charCodeAt">, secret: string): boolean {
  let difference = given.length ^ secret.length;
  for (let index = 0; index < given.length; index += 1)
    difference |= given.charCodeAt(index) ^ secret.charCodeAt(index % secret.length);
  return difference === 0;
}
