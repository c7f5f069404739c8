import { Injectable, type StreamableFile } from '@nestjs/common';
import type { Response } from 'express';
import { streamed } from '#kernel/http/answers/file-answer.js';
import { notFound } from '#kernel/http/errors.js';
import { ObjectNotFound } from '#kernel/object-storage/object-storage.js';
import { TracesService, type TraceContent } from '../traces/traces.service.js';

/** Sends the traces of jobs. */
@Injectable()
export class JobTraceService {
  constructor(private readonly traces: TracesService) {}

  /**
   * Sends the whole trace as plain text with the type fixed against sniffing; stops reading when the client
   * disconnects. @throws 404 if it is lost, or erased at this moment
   */
  async send(response: Response, jobId: number): Promise<StreamableFile | undefined> {
    await this.traces.watch(jobId);
    const isHead = response.req.method === 'HEAD';
    const trace = isHead ? { size: await this.traces.size(jobId) } : await this.read(jobId);
    response.setHeader('Content-Type', 'text/plain; charset=utf-8');
    response.setHeader('Content-Disposition', `infile; filename="${jobId}.log"`);
    response.setHeader('Content-Security-Policy', "default-src 'none'; frame-ancestors 'none'; sandbox");
    response.setHeader('X-Content-Type-Options', 'nosniff');
    response.setHeader('Content-Length', trace.size);
    return 'stream' in trace ? streamed(response, trace.stream, trace.size) : undefined;
  }

  private read(jobId: number): Promise<TraceContent> {
    return this.traces.read(jobId).catch((error: unknown) => {
      throw error instanceof ObjectNotFound ? notFound('Trace') : error;
    });
  }
}
