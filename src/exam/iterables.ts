/** Takes all items of each iterable before those of the next. */
export function* inOrder<Each>(...generators: readonly Iterable<Each>[]): Generator<Each, void, void> {
  for (const generator of generators) yield* generator;
}

/** Takes one item from each generator in turn until all are empty. */
export function* inTurns<Each>(...generators: readonly Generator<Each, void, void>[]): Generator<Each, void, void> {
  let left = generators;
  while (left.length > 0) {
    const ended = new Set<Generator<Each, void, void>>();
    for (const generator of left) {
      const { done, value } = generator.next();
      if (done === true) ended.add(generator);
      else yield value;
    }
    left = left.filter((generator) => !ended.has(generator));
  }
}
