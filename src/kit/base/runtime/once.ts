/** Returns a function that makes a constant when it is first called: what many tests never need should not take time when the process starts. */
export function once<Made extends object | string>(make: () => Made): () => Made {
  let made: Made | undefined;
  return () => (made ??= make());
}
