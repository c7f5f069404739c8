/**
 * Runs `work` for each item, `width` at a time, and returns the results in order; after an error starts
 * nothing new, and waits for what is running. Once `isOver`, returns the results of the first items only.
 */
export async function someAtOnce<Item, Result>(
  items: readonly Item[],
  width: number,
  work: (item: Item) => Promise<Result>,
  isOver: () => boolean = () => false,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  let failure: { readonly error: unknown } | undefined;
  const lane = async (): Promise<void> => {
    while (next < items.length && !failure && !isOver()) {
      const index = next++;
      try {
        results[index] = await work(items[index] as Item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: width }, lane));
  if (failure) throw failure.error;
  return results;
}
