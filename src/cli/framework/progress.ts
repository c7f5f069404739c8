import { SingleBar } from 'cli-progress';

/** Shows how far a long command is. */
export interface Progress {
  step(): void;
  end(): void;
}

/** A bar on standard error; nothing where nobody looks at one. */
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
