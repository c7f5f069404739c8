const NEWLINE = 0x0a;

/** A line without its end; null if it is too long. */
export type Line = Buffer | null;

/** Splits bytes into lines without buffering more than the longest allowed line: longer ones are dropped. */
export class LineSplitter {
  private parts: Buffer[] = [];
  private length = 0;
  private isTooLong = false;

  constructor(private readonly maxBytes: number) {}

  /** Returns the lines that end within these bytes. */
  push(bytes: Buffer): Line[] {
    const lines: Line[] = [];
    let start = 0;
    for (let end = bytes.indexOf(NEWLINE); end >= 0; end = bytes.indexOf(NEWLINE, start)) {
      this.keep(bytes.subarray(start, end));
      lines.push(this.take());
      start = end + 1;
    }
    if (start < bytes.length) this.keep(bytes.subarray(start));
    return lines;
  }

  /** Returns the last line, if the bytes do not end with a line end. */
  end(): Line[] {
    return this.length > 0 || this.isTooLong ? [this.take()] : [];
  }

  private keep(part: Buffer): void {
    if (this.isTooLong || part.length === 0) return;
    this.length += part.length;
    if (this.length <= this.maxBytes) this.parts.push(part);
    else {
      this.isTooLong = true;
      this.parts = [];
    }
  }

  private take(): Line {
    const [first] = this.parts;
    const whole = this.parts.length === 1 && first ? first : Buffer.concat(this.parts);
    const line = this.isTooLong ? null : whole;
    this.parts = [];
    this.length = 0;
    this.isTooLong = false;
    return line;
  }
}
