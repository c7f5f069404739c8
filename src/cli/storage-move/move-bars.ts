import { MultiBar, Presets, type SingleBar } from 'cli-progress';
import type { MoveCounts } from '#features/storage-moves/move-counts.queries.js';

const MEGABYTE = 1024 * 1024;

/** Two progress bars on standard error, moves and megabytes; nothing if it is not a terminal. */
export class MoveBars {
  private readonly bars: MultiBar | null;
  private readonly moves: SingleBar | undefined;
  private readonly bytes: SingleBar | undefined;

  constructor(total: number, asJson: boolean) {
    this.bars =
      asJson || !process.stderr.isTTY
        ? null
        : new MultiBar(
            { format: '{what} {bar} {value}/{total} {unit}', hideCursor: true },
            Presets.shades_classic,
          );
    this.moves = this.bars?.create(total, 0, { what: 'Moves ', unit: '' });
    this.bytes = this.bars?.create(0, 0, { what: 'Copied', unit: 'MB' });
  }

  show({ finished, failed, bytesDone, bytesTotal }: MoveCounts): void {
    this.moves?.update(finished + failed);
    this.bytes?.setTotal(Math.round(bytesTotal / MEGABYTE));
    this.bytes?.update(Math.round(bytesDone / MEGABYTE));
  }

  end(): void {
    this.bars?.stop();
  }
}
