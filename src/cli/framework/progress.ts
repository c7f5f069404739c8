import { SingleBar } from 'cli-progress';

/** Shows the progress of a long command. */
export interface Progress {
  step(): void;
  end(): void;
}

/** Shows a progress bar on standard error if it is a terminal. */
export function showProgress(label: string, total: number, asJson: boolean): Progress {
  if (asJson || !process.stderr.isTTY) return { step: () => undefined, end: () => undefined };
  const bar = new SingleBar({
    format: `${label} {bar} {value}/{total}`,
    clearOnComplete: true,
    hideCursor: true,
  });
  bar.start(total, 0);
  return { step: () => bar.increment(), end: () => bar.stop() };
}
