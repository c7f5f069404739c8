import { packet } from '../packs/git-command.js';
import { packetsOf, PacketWalk } from '../packs/packet-walk.js';

/** Side bands of git's responses: 1 for the report, 2 for messages to the user. */
const REPORT_BAND = 1;
const WORDS_BAND = 2;
/** Git sends empty packets of band 1 to keep connections alive. */
const EMPTY = 5;

/** The report of git at the end of a push: held back until the effects of the push are visible. */
export class PushReport {
  private readonly walk = new PacketWalk();
  private readonly hasBands: boolean;
  private readonly isWanted: boolean;
  private pending: Buffer = Buffer.alloc(0);
  private readonly kept: Buffer[] = [];

  /** `commands`: the start of the request, with the client's capabilities. */
  constructor(commands: Buffer) {
    const said =
      packetsOf(commands)
        .find((line) => line.includes(0))
        ?.toString('latin1') ?? '';
    const words = said.slice(said.indexOf('\0') + 1).split(/[ \n]/);
    this.hasBands = words.includes('side-band-64k');
    this.isWanted = words.some((word) => word === 'report-status' || word === 'report-status-v2');
  }

  /** Takes a chunk of git's output; returns the part to send now. */
  take(chunk: Buffer): Buffer {
    if (!this.hasBands || this.kept.length > 0) {
      this.kept.push(Buffer.from(chunk));
      return Buffer.alloc(0);
    }
    const bytes = Buffer.concat([this.pending, chunk]);
    const reports: number[] = [];
    const walked = this.walk.run(bytes, ({ at, first, length }) => {
      const isReport = length === 0 || (first === REPORT_BAND && length > EMPTY);
      if (isReport) reports.push(at);
      return !isReport;
    });
    const end = reports[0] ?? walked ?? 0;
    const rest = Buffer.from(bytes.subarray(end));
    this.pending = walked === null ? Buffer.alloc(0) : rest;
    if (walked === null) this.kept.push(rest);
    return Buffer.from(bytes.subarray(0, end));
  }

  /** Returns the refs that git has changed; null if the report is incomplete. */
  changed(): ReadonlySet<string> | null {
    const whole = Buffer.concat(this.kept);
    const report = this.hasBands ? Buffer.concat(packetsOf(whole).map(contentOfBand)) : whole;
    const lines = packetsOf(report);
    if (!this.isWanted || lines.at(-1)?.length !== 0) return null;
    const done = lines.map((line) => /^ok (.+)\n?$/.exec(line.toString('utf8'))?.[1]);
    return new Set(done.filter((ref) => ref !== undefined));
  }

  /** Returns what was held back, preceded by messages for the user. */
  release(words: readonly string[]): Buffer {
    const told = this.hasBands ? words : [];
    const lines = told.map((line) => packet(`${String.fromCharCode(WORDS_BAND)}${line}\n`));
    return Buffer.concat([...lines, this.pending, ...this.kept]);
  }
}

const contentOfBand = (one: Buffer): Buffer => (one[0] === REPORT_BAND ? one.subarray(1) : Buffer.alloc(0));
