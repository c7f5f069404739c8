/** What is started: never through a shell. */
export interface CommandHead {
  readonly program: string;
  readonly args: readonly string[];
  readonly env: Readonly<Record<string, string>>;
  /** Whether it leads a group of processes, which is killed with it. */
  readonly ownGroup: boolean;
  /** How much it gives way to other processes, up to 19; not at all unless given. */
  readonly niceness?: number;
  /** Whether it is told more than its input: what it reads ends when its process is ended. */
  readonly isOpen?: boolean;
}

/** A command that reads little enough to be kept in memory. */
export interface Command extends CommandHead {
  readonly input: string | Buffer;
}

/** Who is told what becomes of a command: pieces of output in order, then one of the last two. */
export interface CommandListener {
  output(piece: Buffer): void;
  errors(text: string): void;
  /** Null where a signal has ended it. */
  closed(code: number | null): void;
  failed(error: Error): void;
}

/** A command that has been started. */
export interface RunningCommand {
  /** Ends it at once; nothing where it has ended already. */
  kill(): void;
  /** Whether its output is read: what is not read makes it wait. */
  read(isRead: boolean): void;
  /** Tells it more; only where it is open. */
  write(data: string | Buffer): void;
}
