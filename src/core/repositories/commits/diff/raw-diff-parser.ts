import { MAX_ENTRY_BYTES } from '../../git/tree-entries.js';
import { MAX_FILES } from './diff-limits.js';
import { PatchSplitter } from './patch-splitter.js';

/** A line of `git diff-tree --raw`. */
export interface ChangedPath {
  readonly oldMode: string;
  readonly newMode: string;
  /** A, D, M, R or T. */
  readonly status: string;
  readonly oldPath: string;
  readonly newPath: string;
}

/**
 * Parses the stream of `git diff-tree --raw -z -p`: the changed paths, then their patches in the same order.
 */
export class RawDiffParser {
  readonly paths: ChangedPath[] = [];
  readonly patches = new PatchSplitter();
  /** Whether there are more paths than are shown. */
  hasMore = false;
  /** Bytes read so far. */
  size = 0;
  private isOverlong = false;
  private sectionsNeeded = 0;
  private raw: Buffer | null = Buffer.alloc(0);

  push(chunk: Buffer): void {
    this.size += chunk.length;
    if (this.raw === null) {
      this.patches.push(chunk);
      return;
    }
    let data = Buffer.concat([this.raw, chunk]);
    for (let used = this.readPath(data); used > 0; used = this.readPath(data)) data = data.subarray(used);
    if (data[0] === 0) {
      this.raw = null;
      this.patches.push(data.subarray(1));
    } else {
      this.raw = Buffer.from(data);
      // Each further chunk would copy all of `raw`; a diff with a path of this length is truncated before it.
      if (data.length > MAX_ENTRY_BYTES) this.isOverlong = this.hasMore = true;
    }
  }

  /** Whether everything to show has been read. */
  get isDone(): boolean {
    return (
      this.isOverlong ||
      (this.raw === null && this.hasMore && this.patches.sections.length >= this.sectionsNeeded)
    );
  }

  /** Returns the length of the path at the start of `data`; 0 if there is none or it is incomplete. */
  private readPath(data: Buffer): number {
    if (data[0] !== 0x3a) return 0;
    const headerEnd = data.indexOf(0);
    const header = data.toString('latin1', 1, Math.max(headerEnd, 1));
    const firstEnd = headerEnd < 0 ? -1 : data.indexOf(0, headerEnd + 1);
    if (firstEnd < 0) return 0;
    const [oldMode = '', newMode = '', , , status = ''] = header.split(' ');
    const isRename = /^[RC]/.test(status);
    const end = isRename ? data.indexOf(0, firstEnd + 1) : firstEnd;
    if (end < 0) return 0;
    const oldPath = data.toString('utf8', headerEnd + 1, firstEnd);
    const newPath = isRename ? data.toString('utf8', firstEnd + 1, end) : oldPath;
    if (this.paths.length < MAX_FILES) {
      this.paths.push({ oldMode, newMode, status: status.slice(0, 1), oldPath, newPath });
      // A change of type is a removal and an addition: two sections.
      this.sectionsNeeded += status.startsWith('T') ? 2 : 1;
    } else this.hasMore = true;
    return end + 1;
  }
}
