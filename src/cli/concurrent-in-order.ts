/**
 * Works on items, some at a time, and reports their results in the order of the items.
 * @param most how many items are worked on at once
 */
export async function concurrentInOrder<Item, Result>(
  items: readonly Item[],
  most: number,
  work: (item: Item, report: (result: Result) => void) => Promise<void>,
  report: (result: Result) => void,
): Promise<void> {
  const waiting = items.map((): Result[] => []);
  const isOver = items.map(() => false);
  let next = 0;
  let first = 0;
  const reportInOrder = (): void => {
    for (; first < items.length; first += 1) {
      for (const result of waiting[first]?.splice(0) ?? []) report(result);
      if (isOver[first] === false) return;
    }
  };
  const workOn = async (): Promise<void> => {
    for (let index = next; index < items.length; index = next) {
      next += 1;
      const item = items[index] as Item;
      await work(item, (result) => {
        waiting[index]?.push(result);
        reportInOrder();
      });
      isOver[index] = true;
      reportInOrder();
    }
  };
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, workOn));
}
