import type { ListQuery } from '#kernel/database/lists/list-query.js';

/** The list that a method gives to its page. */
export async function listLoadedBy(method: (page: never) => Promise<unknown>): Promise<ListQuery<object>> {
  const lists: ListQuery<object>[] = [];
  const load = (list: ListQuery<object>): Promise<never[]> => {
    lists.push(list);
    return Promise.resolve([]);
  };
  await method({ load } as never);
  const [list] = lists;
  if (!list) throw new Error('Nothing was loaded');
  return list;
}
