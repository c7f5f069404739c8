import type { TestApi } from './api.js';

/** Opens connections that the next requests find ready: sent together, those arrive together, and none waits to be let in. */
export async function openConnections({ url }: TestApi, count: number): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async () => (await fetch(`${url}/-/health`)).arrayBuffer()),
  );
}
