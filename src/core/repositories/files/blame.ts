import { git } from '../git/git.js';
import { readCommits } from '../git/commit-log.js';
import { presentCommit } from '../commits/commit.record.js';
import type { BlameRecord } from './file.record.js';
import type { FoundFile } from './file-reading.js';
import type { LineRange } from './files.params.js';

/** Time for finding out who wrote a file, in milliseconds. */
const TIMEOUT_MS = 30_000;

interface Part {
  readonly id: string;
  readonly lines: string[];
}

/** Who wrote the lines of a file, in two processes; nothing for lines that it does not have. */
export async function blame(
  { repositoryPath, commitId, entry }: FoundFile,
  range: LineRange | undefined,
): Promise<BlameRecord[]> {
  const lines = range ? [`-L${range.start},${range.end}`] : [];
  const args = ['blame', '--porcelain', ...lines, commitId, '--', entry.path];
  const output = await git(repositoryPath, args, {
    timeoutMs: TIMEOUT_MS,
    okCodes: range ? [0, 128] : [0],
  });
  const parts = partsOf(output.toString('utf8'));
  const ids = [...new Set(parts.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const commits = await readCommits(repositoryPath, ['--no-walk=unsorted', '--stdin'], {
    input: `${ids.join('\n')}\n`,
  });
  const records = new Map(commits.map((commit) => [commit.id, presentCommit(commit, '')]));
  return parts.flatMap(({ id, lines: own }) => {
    const commit = records.get(id);
    return commit ? [{ commit: presentBlamed(commit), lines: own }] : [];
  });
}

/** Porcelain output: a header for each line, and the line itself behind a tab. */
function partsOf(text: string): Part[] {
  const parts: Part[] = [];
  let id = '';
  for (const line of text.split('\n')) {
    const header = /^([0-9a-f]{40}) \d+ \d+( \d+)?$/.exec(line);
    if (header) id = header[1] as string;
    else if (line.startsWith('\t')) {
      const last = parts.at(-1);
      if (last?.id === id) last.lines.push(line.slice(1));
      else parts.push({ id, lines: [line.slice(1)] });
    }
  }
  return parts;
}

const presentBlamed = (commit: ReturnType<typeof presentCommit>): BlameRecord['commit'] => ({
  id: commit.id,
  parent_ids: commit.parent_ids,
  message: commit.message,
  authored_date: commit.authored_date,
  author_name: commit.author_name,
  author_email: commit.author_email,
  committed_date: commit.committed_date,
  committer_name: commit.committer_name,
  committer_email: commit.committer_email,
});
