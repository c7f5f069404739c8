/** Resource limits of a process and of each process that it starts. */
export interface ProcessLimits {
  readonly cpuSeconds: number;
  /** Private memory. */
  readonly dataBytes: number;
  /** Address space, including mapped files. */
  readonly addressBytes: number;
}

/** A program and its arguments. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
}

/**
 * The shell execs the program; its name and arguments are not part of the script. Limits that the system does
 * not support are skipped.
 */
const SCRIPT = `limit() { ulimit "$1" "$2" 2>/dev/null || :; }
limit -t "$1"; limit -d "$2"; limit -v "$3"; shift 3; exec "$0" "$@"`;

/** The same, with standard error in order within standard output. */
const JOINED = `${SCRIPT} 2>&1`;

/**
 * Adds limits to a call that the system enforces, even after we are gone. `isJoined`: standard error goes to
 * standard output.
 */
export function limited(
  { program, args }: ProgramCall,
  { cpuSeconds, dataBytes, addressBytes }: ProcessLimits,
  isJoined = false,
): ProgramCall {
  const limits = [Math.ceil(cpuSeconds), Math.floor(dataBytes / 1024), Math.floor(addressBytes / 1024)];
  return {
    program: '/bin/sh',
    args: ['-c', isJoined ? JOINED : SCRIPT, program, ...limits.map(String), ...args],
  };
}
