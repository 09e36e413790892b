/** Returns a function that makes a constant when it is first called: what many tests never need should not take time when the process starts. */
export function once<Made>(make: () => Made): () => Made {
  let made: { readonly value: Made } | undefined;
  return () => (made ??= { value: make() }).value;
}
