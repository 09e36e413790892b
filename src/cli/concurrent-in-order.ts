/**
 * Works on items, some at a time, and passes on what they tell in the order of the items.
 * @param most how many items are worked on at once
 */
export async function concurrentInOrder<Item, Told>(
  items: readonly Item[],
  most: number,
  work: (item: Item, tell: (told: Told) => void) => Promise<void>,
  passOn: (told: Told) => void,
): Promise<void> {
  const waiting = items.map((): Told[] => []);
  const isOver = items.map(() => false);
  let next = 0;
  let first = 0;
  const passOnInOrder = (): void => {
    for (; first < items.length; first += 1) {
      for (const told of waiting[first]?.splice(0) ?? []) passOn(told);
      if (isOver[first] === false) return;
    }
  };
  const workOn = async (): Promise<void> => {
    for (let index = next; index < items.length; index = next) {
      next += 1;
      const item = items[index] as Item;
      await work(item, (told) => {
        waiting[index]?.push(told);
        passOnInOrder();
      });
      isOver[index] = true;
      passOnInOrder();
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOn));
}
