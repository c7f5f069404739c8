import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A storage of objects beside a server, at an origin of its own: whoever knows an address may fetch it once, and nothing else proves anything. */
export class V4Storage {
  /** Requests that came with a token of the server. */
  leaks = 0;
  private readonly objects = new Map<string, Buffer>();

  private constructor(private readonly server: Server) {
    server.on('request', ({ url = '', headers }, response) => {
      if (headers['private-token'] !== undefined || headers.authorization !== undefined) this.leaks += 1;
      const object = this.objects.get(url);
      this.objects.delete(url);
      response.writeHead(object ? 200 : 403, { 'Content-Type': 'application/gzip' }).end(object);
    });
  }

  static async start(): Promise<V4Storage> {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return new V4Storage(server);
  }

  /** Keeps bytes; the address under which they are fetched. */
  put(bytes: Buffer): string {
    const path = `/bucket/${this.objects.size}?X-Signature=${Math.random().toString(36).slice(2)}`;
    this.objects.set(path, bytes);
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }
}
