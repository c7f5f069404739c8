import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span as received by a collector. */
export interface CollectedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId: string;
  readonly name: string;
}

type Fields = readonly (readonly [field: number, bytes: Buffer])[];

/** The length-delimited fields of a message of Protocol Buffers. */
function fieldsOf(message: Buffer): Fields {
  const found: [number, Buffer][] = [];
  let at = 0;
  const varint = (): number => {
    for (let value = 0, factor = 1; ; factor *= 128) {
      const byte = message[at++] ?? 0;
      value += (byte & 127) * factor;
      if (byte < 128) return value;
    }
  };
  while (at < message.length) {
    const tag = varint();
    const wire = tag & 7;
    if (wire === 0) varint();
    else if (wire === 1) at += 8;
    else if (wire === 5) at += 4;
    else {
      const size = varint();
      found.push([tag >>> 3, message.subarray(at, at + size)]);
      at += size;
    }
  }
  return found;
}

const all = (fields: Fields, wanted: number): Buffer[] =>
  fields.filter(([field]) => field === wanted).map(([, bytes]) => bytes);

/** `ExportTraceServiceRequest` > resource_spans > scope_spans > spans. */
const spansIn = (body: Buffer): CollectedSpan[] =>
  all(fieldsOf(body), 1)
    .flatMap((resource) => all(fieldsOf(resource), 2))
    .flatMap((scope) => all(fieldsOf(scope), 2))
    .map((span) => {
      const fields = fieldsOf(span);
      const hex = (field: number): string => all(fields, field)[0]?.toString('hex') ?? '';
      return { traceId: hex(1), spanId: hex(2), parentId: hex(4), name: String(all(fields, 5)[0] ?? '') };
    });

/** A collector of one test (OTLP over HTTP). */
export class TraceCollector {
  readonly spans: CollectedSpan[] = [];

  private constructor(private readonly server: Server) {}

  static async start(): Promise<TraceCollector> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => {
        collector.spans.push(...spansIn(Buffer.concat(chunks)));
        response.writeHead(200, { 'Content-Type': 'application/x-protobuf' }).end();
      });
    });
    const collector = new TraceCollector(server);
    await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)));
    return collector;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Names of the spans of a trace. */
  namesOf(traceId: string): ReadonlySet<string> {
    return new Set(this.spans.filter((span) => span.traceId === traceId).map(({ name }) => name));
  }

  close(): void {
    this.server.closeAllConnections();
    this.server.close();
  }
}
