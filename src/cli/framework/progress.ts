import { SingleBar } from 'cli-progress';

/** Shows the progress of a long command. */
export interface Progress {
  step(): void;
  end(): void;
}

/** Shows the progress of a command that does one step after the other. */
export interface Phases {
  readonly onPhase: (label: string, total: number) => void;
  readonly onStep: () => void;
  readonly end: () => void;
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

/** Shows such a bar for each phase; where standard error is not a terminal, a line at the end of each, for logs. */
export function showPhases(asJson: boolean): Phases {
  let shown: Progress | undefined;
  return {
    onPhase: (label, total) => {
      shown?.end();
      shown = asJson || process.stderr.isTTY ? showProgress(label, total, asJson) : countLine(label);
    },
    onStep: () => shown?.step(),
    end: () => shown?.end(),
  };
}

function countLine(label: string): Progress {
  let count = 0;
  return { step: () => (count += 1), end: () => process.stderr.write(`${label}: ${count}\n`) };
}
