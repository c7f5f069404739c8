import type { Socket } from 'node:net';

/**
 * This process's ends of the streams of an open command, which its starter hands over one after the other.
 * What is written until then waits here.
 */
export class OpenEnds {
  private readonly sockets: Socket[] = [];
  private input: Socket | undefined;
  private unsent: (string | Buffer)[] = [];
  private isClosed = false;

  /** `output` receives what the command prints. */
  constructor(private readonly output: (piece: Buffer) => void) {}

  /** Takes one end; they do not keep this process alive. */
  take(end: 'output' | 'input', socket: Socket): void {
    // The starter reports a command that is gone.
    socket.on('error', () => undefined).unref();
    if (this.isClosed) {
      socket.destroy();
      return;
    }
    this.sockets.push(socket);
    if (end === 'output') socket.on('data', this.output);
    else {
      this.input = socket.resume();
      for (const data of this.unsent.splice(0)) socket.write(data);
    }
  }

  /** Sends the command more input; nothing once it is closed. */
  write(data: string | Buffer): void {
    if (this.isClosed) return;
    if (this.input) this.input.write(data);
    else this.unsent.push(data);
  }

  /** Closes the ends that it has or gets: the command finds its input at an end. */
  close(): void {
    this.isClosed = true;
    this.unsent = [];
    for (const socket of this.sockets.splice(0)) socket.destroy();
  }
}
