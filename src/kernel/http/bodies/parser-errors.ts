import type { Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { countRejected } from '#kernel/log/metrics.js';
import { isUnhurried } from '../routes/long-running.js';

const REASONS: Readonly<Record<string, string>> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/** Answers requests that Node's HTTP parser rejects, in the format of every other error. */
export function answerParserErrors(server: Server): void {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    // Node tells each request of it once, and leaves the rest to us.
    if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && isUnhurried(socket)) return;
    if (error.code === 'ECONNRESET' || !socket.writable) {
      socket.destroy();
      return;
    }
    countRejected('parser');
    const line = REASONS[error.code ?? ''] ?? '400 Bad request';
    const body = JSON.stringify({ message: line });
    socket.end(
      `HTTP/1.1 ${line}\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\nConnection: close\r\n\r\n${body}`,
    );
  });
}
