import { MAX_PATCH_BYTES, MAX_SHOWN_BYTES } from './diff-limits.js';

/**
 * Only the first line of a file's patch starts like this: content lines start with a blank, a sign or a
 * backslash.
 */
const HEADER = Buffer.from('\ndiff --git ');

/** The shown part of a `diff --git` section. */
export interface PatchSection {
  readonly text: Buffer;
  readonly state: 'whole' | 'too large' | 'collapsed';
}

const COLLAPSED: PatchSection = { text: Buffer.alloc(0), state: 'collapsed' };

/** Splits a stream of patches into sections per file, and keeps only what will be shown. */
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
    // The end may be the start of the next header.
    const safe = Math.max(from, data.length - HEADER.length + 1);
    this.keep(data.subarray(from, safe));
    this.rest = Buffer.from(data.subarray(safe));
  }

  /** Ends the stream; if not `isWhole`, the last section is incomplete. */
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
