import { StringDecoder } from 'node:string_decoder';
import { HttpError } from '#kernel/http/errors.js';
import { readCommits, type Commit } from '../git/commit-log.js';
import { readGit } from '../git/processes/read-git.js';
import { isTooLarge } from '../commits/or-fewer.js';
import { presentCommit } from '../commits/commit.record.js';
import type { BlameRecord } from './file.record.js';
import type { FoundFile } from './file-reading.service.js';
import type { LineRange } from './files.params.js';

/** Time limit of a blame in milliseconds. */
const TIMEOUT_MS = 30_000;
/** Limit of lines of a blame. */
const MAX_LINES = 50_000;
/** Limit of characters of the messages and people in a blame, and of bytes of git's output. */
const MAX_TEXTS = 64 * 1024 * 1024;
/** More than the length of a line that names a commit. Of others without a tab, nothing is needed. */
const MAX_HEADER = 100;

const TOO_LARGE = 'The commits of the lines are too large together';

const refusal = (problem: string): HttpError =>
  new HttpError(422, { message: `${problem}: request a range` });

interface Part {
  readonly id: string;
  readonly lines: string[];
}

/**
 * Blames lines of a file with two processes; lines beyond its end are ignored. @throws 422 if there are too
 * many lines, or their commits are too large together
 */
export async function blame(
  { repositoryPath, commitId, entry }: FoundFile,
  range: LineRange | undefined,
): Promise<BlameRecord[]> {
  const lines = range ? [`-L${range.start},${range.end}`] : [];
  const args = ['blame', '--porcelain', '--no-textconv', ...lines, commitId, '--', entry.path];
  const parser = new BlameParser();
  const options = { timeoutMs: TIMEOUT_MS, okCodes: range ? [0, 128] : [0] };
  await readGit(repositoryPath, args, options, (piece) => parser.push(piece));
  if (parser.lineCount > MAX_LINES) throw refusal(`The file has more than ${MAX_LINES} lines`);
  if (parser.size > MAX_TEXTS) throw refusal(TOO_LARGE);
  const ids = [...new Set(parser.parts.map(({ id }) => id))];
  if (ids.length === 0) return [];
  const commits = await readCommits(repositoryPath, ['--no-walk=unsorted', '--stdin'], {
    input: `${ids.join('\n')}\n`,
  }).catch((error: unknown) => {
    throw isTooLarge(error) ? refusal(TOO_LARGE) : error;
  });
  const records = new Map(commits.map((commit) => [commit.id, presentCommit(commit, '')]));
  // Each part repeats its commit.
  const sizes = new Map(commits.map((commit) => [commit.id, sizeOf(commit)]));
  if (parser.parts.reduce((sum, { id }) => sum + (sizes.get(id) ?? 0), 0) > MAX_TEXTS)
    throw refusal(TOO_LARGE);
  return parser.parts.flatMap(({ id, lines: own }) => {
    const commit = records.get(id);
    return commit ? [{ commit: presentBlamed(commit), lines: own }] : [];
  });
}

/** Parses the stream of porcelain output: a header for each line, then the line after a tab. */
class BlameParser {
  readonly parts: Part[] = [];
  lineCount = 0;
  /** Bytes read so far. */
  size = 0;
  private readonly decoder = new StringDecoder('utf8');
  /** The needed parts of a line that has not ended, and their length. */
  private rest: string[] = [];
  private restLength = 0;
  private id = '';

  /** Adds a chunk; returns false if there are too many lines or bytes. */
  push(piece: Buffer): boolean {
    this.size += piece.length;
    const [first = '', ...others] = this.decoder.write(piece).split('\n');
    this.add(first);
    for (const part of others) {
      this.take(this.rest.join(''));
      this.rest = [];
      this.restLength = 0;
      this.add(part);
    }
    return this.lineCount <= MAX_LINES && this.size <= MAX_TEXTS;
  }

  /** The title of a commit may be longer than any file. */
  private add(part: string): void {
    if (this.restLength >= MAX_HEADER && this.rest[0]?.startsWith('\t') !== true) return;
    if (part !== '') this.rest.push(part);
    this.restLength += part.length;
  }

  private take(line: string): void {
    const header = /^([0-9a-f]{40}) \d+ \d+( \d+)?$/.exec(line);
    if (header) this.id = header[1] as string;
    else if (line.startsWith('\t')) {
      this.lineCount += 1;
      const last = this.parts.at(-1);
      if (last?.id === this.id) last.lines.push(line.slice(1));
      else this.parts.push({ id: this.id, lines: [line.slice(1)] });
    }
  }
}

const sizeOf = ({ message, authorName, authorEmail, committerName, committerEmail }: Commit): number =>
  message.length + authorName.length + authorEmail.length + committerName.length + committerEmail.length;

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
