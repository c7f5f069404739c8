import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** Limits of waiting requests: of one connection, and of all connections together. */
const MOST_WAITING = 500;
const MOST_WAITING_IN_ALL = 5_000;

type Turn = readonly [request: IncomingMessage, response: ServerResponse];

/** Queue of the requests of one connection. */
class Line {
  readonly waiting: Turn[] = [];
  isBusy = false;
}

/**
 * Serves the pipelined requests of a connection one by one, each after the client has taken the previous answer. Otherwise a client that sends
 * many requests before it reads would pile up work and answers here. While requests wait, the connection is not read; a connection that
 * exceeds the limits is closed.
 */
export class Turns {
  private readonly lines = new WeakMap<Socket, Line>();
  private waiting = 0;

  constructor(private readonly serve: RequestListener) {}

  /** Whether a request of the connection is being served. */
  isBusy(socket: Socket): boolean {
    return this.lines.get(socket)?.isBusy ?? false;
  }

  readonly take = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    const line = this.lines.get(socket) ?? this.open(socket);
    if (!line.isBusy) {
      this.run(line, request, response);
      return;
    }
    if (line.waiting.length >= MOST_WAITING || this.waiting >= MOST_WAITING_IN_ALL) {
      socket.destroy();
      return;
    }
    if (socket.destroyed) return;
    this.waiting += 1;
    line.waiting.push([request, response]);
    socket.pause();
  };

  private open(socket: Socket): Line {
    const line = new Line();
    this.lines.set(socket, line);
    // Reading a body, or finishing one, resumes the socket: pause it again while requests wait.
    socket.on('resume', () => {
      if (line.waiting.length > 0) socket.pause();
    });
    socket.once('close', () => {
      this.waiting -= line.waiting.length;
      line.waiting.length = 0;
    });
    return line;
  }

  private run(line: Line, request: IncomingMessage, response: ServerResponse): void {
    line.isBusy = true;
    response.once('close', () => {
      // Yield to other connections first; the queue stays busy, so that new requests wait too.
      if (line.waiting.length > 0) setImmediate(() => this.next(line));
      else line.isBusy = false;
    });
    this.serve(request, response);
  }

  private next(line: Line): void {
    const turn = line.waiting.shift();
    if (!turn) {
      line.isBusy = false;
      return;
    }
    this.waiting -= 1;
    const [request, response] = turn;
    this.run(line, request, response);
    if (line.waiting.length === 0) request.socket.resume();
  }
}
