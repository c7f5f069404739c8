/** The same items; the next one is being made while the former is dealt with. */
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

/** Whoever waits for it gets its error; until then it is nobody's. */
function begin<Item>(items: AsyncIterator<Item>): Promise<IteratorResult<Item>> {
  const next = items.next();
  next.catch(() => undefined);
  return next;
}
