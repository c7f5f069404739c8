/** What to start; never through a shell. */
export interface CommandHead {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it leads a process group, which is killed with it. */
  readonly ownGroup: boolean;
  /** Its nice value, up to 19; unchanged if omitted. */
  readonly niceness?: number;
  /**
   * Whether it runs to its end even if the requesting process is killed; other commands end then. One that
   * takes too long is asked to end, and cleans up.
   */
  readonly mustFinish?: boolean;
}

/** A command with input small enough to be kept in memory. */
export interface Command extends CommandHead {
  readonly input: string | Buffer;
}

/** Receives the events of a command: output chunks in order, then one of the last two. */
export interface CommandListener {
  output(piece: Buffer): void;
  errors(text: string): void;
  /** Null if a signal ended it. */
  closed(code: number | null): void;
  failed(error: Error): void;
}

/** A command that has been started. */
export interface RunningCommand {
  /** Kills it at once, or asks it to end if it must finish; does nothing if it has already ended. */
  kill(): void;
  /** Whether its output is read; unread output makes it wait. */
  read(isRead: boolean): void;
}

/** A command that is asked and answers until it is killed. */
export interface OpenCommand extends Pick<RunningCommand, 'kill'> {
  /** Sends it more input. */
  write(data: string | Buffer): void;
}
