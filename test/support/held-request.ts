import { once } from 'node:events';
import { connect, type Socket } from 'node:net';

/** A request of a client that stops before its body is complete, and the status that it gets. */
export class HeldRequest {
  /** 0 if the connection ends without a response. */
  readonly status: Promise<number>;

  private constructor(private readonly socket: Socket) {
    let received = '';
    this.status = new Promise((resolve) => {
      const read = (): void => {
        const status = /HTTP\/1\.1 ([2-5]\d\d)/.exec(received)?.[1];
        if (status !== undefined) resolve(Number(status));
      };
      socket.on('data', (piece: Buffer) => {
        received += piece.toString('latin1');
        read();
      });
      socket.on('error', () => undefined);
      socket.on('close', () => resolve(0));
    });
  }

  /**
   * Sends `method path` and headers, and the beginning of a body; its length is 1,000 unless the headers contain another one, or
   * `Transfer-Encoding`. `from` is the address of the client.
   */
  static async begin(
    url: string,
    target: string,
    headers: Readonly<Record<string, string>> = {},
    { body = '', from = '127.0.0.1' } = {},
  ): Promise<HeldRequest> {
    const { hostname, port } = new URL(url);
    const socket = connect({ host: hostname, port: Number(port), localAddress: from });
    const held = new HeldRequest(socket);
    await once(socket, 'connect');
    const isChunked = headers['Transfer-Encoding'] !== undefined;
    const sent = { Host: 'x', ...(isChunked ? {} : { 'Content-Length': '1000' }), ...headers };
    const lines = Object.entries(sent).map(([name, value]) => `${name}: ${value}\r\n`);
    held.send(`${target} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
    return held;
  }

  /** Sends more of the body. */
  send(text: string): void {
    if (this.socket.writable) this.socket.write(text);
  }

  /** Whether there is no response yet, after `forMs`. */
  async isHeld(forMs: number): Promise<boolean> {
    let timer: NodeJS.Timeout | undefined;
    const silence = new Promise<null>((resolve) => (timer = setTimeout(() => resolve(null), forMs)));
    const first = await Promise.race([this.status, silence]);
    clearTimeout(timer);
    return first === null;
  }

  /** Closes the connection. */
  leave(): void {
    this.socket.destroy();
  }
}
