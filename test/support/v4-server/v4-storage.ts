import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** An object storage next to a server, at another origin: each URL can be fetched once, without credentials. */
export class V4Storage {
  /** Requests that contained a token of the server. */
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

  /** Stores bytes and returns the URL to fetch them from. */
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
