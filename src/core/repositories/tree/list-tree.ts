import { streamGit } from '../git/stream-git.js';
import type { EntryType } from './tree-token.js';
import type { RawEntry } from './tree-window.js';

const NUL = 0;

/** Gives every entry of a tree (a full id), of the folders below it too where asked for, to `onEntry`, as git lists them. */
export async function listTree(
  repositoryPath: string,
  tree: string,
  recursive: boolean,
  onEntry: (entry: RawEntry) => void,
): Promise<void> {
  const flags = recursive ? ['-r', '-t'] : [];
  const stream = await streamGit(repositoryPath, ['ls-tree', '-z', '--full-tree', ...flags, tree]);
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    const data = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    let from = 0;
    for (let end = data.indexOf(NUL); end >= 0; end = data.indexOf(NUL, from)) {
      onEntry(parse(data.toString('latin1', from, end)));
      from = end + 1;
    }
    rest = data.subarray(from);
  }
}

function parse(line: string): RawEntry {
  const tab = line.indexOf('\t');
  const [mode = '', type = '', id = ''] = line.slice(0, tab).split(' ');
  return { mode, type: type as EntryType, id, path: line.slice(tab + 1) };
}
