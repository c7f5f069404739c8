import { spawn, type ChildProcess } from 'node:child_process';

/** Runs programs one after another, and stops them on request. */
export class Shell {
  private child: ChildProcess | null = null;
  private isStopped = false;

  constructor(
    private readonly cwd: string,
    private readonly write: (text: string) => void,
  ) {}

  /** Runs a script line by line, as runners do, until a line fails. Returns its exit code. */
  script(lines: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
    const shown = lines.map((line) => `printf '%s\\n' ${quoted(`$ ${line.split('\n')[0] ?? ''}`)}\n${line}`);
    return this.run('bash', ['-c', ['set -eo pipefail', ...shown].join('\n')], env);
  }

  /** Runs a program and returns its exit code. */
  run(program: string, args: readonly string[], env: Readonly<Record<string, string>>): Promise<number> {
    if (this.isStopped) return Promise.resolve(137);
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd: this.cwd,
        env,
        stdio: ['ignore', 'pipe', 'pipe'],
        detached: true,
      });
      this.child = child;
      for (const stream of [child.stdout, child.stderr])
        stream.setEncoding('utf8').on('data', (text: string) => this.write(text));
      child.once('error', reject);
      child.once('close', (code) => resolve(code ?? 137));
    });
  }

  /** Stops the running program, with all its child processes. */
  stop(): void {
    this.isStopped = true;
    const pid = this.child?.exitCode === null ? this.child.pid : undefined;
    try {
      if (pid !== undefined) process.kill(-pid, 'SIGKILL');
    } catch {
      // The program has just ended.
    }
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
