import { MAX_PATCH_BYTES, MAX_SHOWN_BYTES } from './diff-limits.js';

/** No line of a patch begins like this but the first of a file: contents begin with a blank, a sign or a backslash. */
const HEADER = Buffer.from('\ndiff --git ');

/** What of one `diff --git` is shown. */
export interface PatchSection {
  readonly text: Buffer;
  readonly state: 'whole' | 'too large' | 'collapsed';
}

const COLLAPSED: PatchSection = { text: Buffer.alloc(0), state: 'collapsed' };

/** Cuts a stream of patches into the sections of its files, and holds only what will be shown of them. */
export class PatchSplitter {
  readonly sections: PatchSection[] = [];
  private rest: Buffer = Buffer.from('\n');
  private kept: Buffer[] = [];
  private length = 0;
  private shown = 0;
  private isOpen = false;

  push(chunk: Buffer): void {
    const data = Buffer.concat([this.rest, chunk]);
    let from = 0;
    for (let at = data.indexOf(HEADER); at >= 0; at = data.indexOf(HEADER, from)) {
      this.keep(data.subarray(from, at + 1));
      this.close();
      this.isOpen = true;
      from = at + 1;
    }
    // The end may be the beginning of the next header.
    const safe = Math.max(from, data.length - HEADER.length + 1);
    this.keep(data.subarray(from, safe));
    this.rest = Buffer.from(data.subarray(safe));
  }

  /** No more comes; with `isWhole` false the last section has lost its end. */
  end(isWhole: boolean): void {
    this.keep(this.rest);
    if (isWhole) this.close();
  }

  private keep(part: Buffer): void {
    if (!this.isOpen) return;
    if (this.length <= MAX_PATCH_BYTES) this.kept.push(Buffer.from(part));
    this.length += part.length;
  }

  private close(): void {
    if (!this.isOpen) return;
    if (this.length > MAX_PATCH_BYTES) this.sections.push({ text: Buffer.alloc(0), state: 'too large' });
    else if (this.shown + this.length > MAX_SHOWN_BYTES) this.sections.push(COLLAPSED);
    else {
      this.shown += this.length;
      this.sections.push({ text: Buffer.concat(this.kept), state: 'whole' });
    }
    this.kept = [];
    this.length = 0;
    this.isOpen = false;
  }
}
