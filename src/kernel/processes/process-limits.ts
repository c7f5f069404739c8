/** What the system lets one process, and each that it starts, use. */
export interface ProcessLimits {
  readonly cpuSeconds: number;
  /** Memory of its own. */
  readonly dataBytes: number;
  /** All that it can reach, files that it maps included. */
  readonly addressBytes: number;
}

/** A program and its arguments. */
export interface ProgramCall {
  readonly program: string;
  readonly args: readonly string[];
}

/** The shell becomes the program, whose name and arguments are none of the script; a system that knows a limit not goes without it. */
const SCRIPT = `limit() { ulimit "$1" "$2" 2>/dev/null || :; }
limit -t "$1"; limit -d "$2"; limit -v "$3"; shift 3; exec "$0" "$@"`;

/** The same; what the program says of itself comes in order with what it answers. */
const JOINED = `${SCRIPT} 2>&1`;

/** The same call with limits that the system keeps: they hold also when we are gone. `isJoined`: its errors come in its output. */
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
