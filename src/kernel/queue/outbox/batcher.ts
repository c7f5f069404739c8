import DataLoader from 'dataloader';

/**
 * Groups calls made while a statement is running into the next statement: no added delay when idle, few
 * statements under load. `flush` returns a result, or an Error, for each item, in the same order.
 */
export function batcher<In, Out>(
  flush: (items: readonly In[]) => Promise<readonly (Out | Error)[]>,
  limit = 200,
): Pick<DataLoader<In, Out>, 'load'> {
  const batches: (() => void)[] = [];
  let isBusy = false;
  const next = (): void => {
    const send = batches.shift();
    isBusy = send !== undefined;
    send?.();
  };
  return new DataLoader((items) => flush(items).finally(next), {
    cache: false,
    maxBatchSize: limit,
    batchScheduleFn: (send) => {
      batches.push(send);
      if (!isBusy) setImmediate(next);
      isBusy = true;
    },
  });
}
