/** Yields the same items; prepares the next one while the previous one is processed. */
export async function* readAhead<Item>(source: AsyncIterable<Item>): AsyncGenerator<Item> {
  const items = source[Symbol.asyncIterator]();
  let next = begin(items);
  try {
    for (;;) {
      const result = await next;
      if (result.done === true) return;
      next = begin(items);
      yield result.value;
    }
  } finally {
    await next.catch(() => undefined);
    await items.return?.();
  }
}

/** An error is thrown to the caller that waits for the item; until then it is ignored. */
function begin<Item>(items: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
