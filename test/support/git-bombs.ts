import type { WorkingCopy } from './git.js';

/** A commit whose tree has 10^`levels` files, in a few objects. `leaf` are the lines of the lowest folder. @returns its id */
export async function treeBomb(work: WorkingCopy, levels: number, message = 'Bomb'): Promise<string> {
  const made = await work.run(['hash-object', '-w', '--stdin'], {}, 'x\n');
  const lines = (kind: string, id: string): string =>
    Array.from({ length: 10 }, (_, index) => `${kind} ${id}\tn${index}\n`).join('');
  let tree = '';
  for (let level = 0; level < levels; level += 1) {
    const input = level === 0 ? lines('100644 blob', made.stdout.trim()) : lines('040000 tree', tree);
    tree = (await work.run(['mktree'], {}, input)).stdout.trim();
  }
  const commit = await work.git('commit-tree', '-m', message, tree);
  await work.git('update-ref', 'refs/heads/main', commit);
  return commit;
}
