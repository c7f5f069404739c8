import type { ChildProcess } from 'node:child_process';
import { rmSync } from 'node:fs';

const children = new Map<ChildProcess, NodeJS.Signals>();
const folders = new Set<string>();

/** Has a process end with this one, by that signal, also if this one is interrupted. */
export function endingHere<T extends ChildProcess>(child: T, signal: NodeJS.Signals = 'SIGKILL'): T {
  children.set(child, signal);
  child.once('exit', () => children.delete(child));
  return child;
}

/** Has a folder removed with this process, at the latest. */
export function removedHere(path: string): () => void {
  folders.add(path);
  return () => {
    folders.delete(path);
    remove(path);
  };
}

// A database that is being stopped may still write.
const remove = (path: string): void => rmSync(path, { recursive: true, force: true, maxRetries: 10 });

process.once('exit', () => {
  for (const [child, signal] of children) child.kill(signal);
  folders.forEach(remove);
});

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
] as const)
  process.once(signal, () => process.exit(code));
