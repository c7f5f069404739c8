import { Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { notFound, unauthorized } from '#kernel/http/errors.js';
import { openEnvelope } from './envelope/envelope.js';
import { eventsOf, oneEvent, type EnvelopeEvents } from './envelope/envelope-events.js';
import { ErrorEventStoreService } from './error-event-store.service.js';
import { IntakeAdmissionPolicy } from './intake-admission.policy.js';
import { unreadable } from './intake-errors.js';
import { IntakeLimit } from './intake.limit.js';
import { SentBodiesService } from './envelope/sent-bodies.service.js';
import { keyOfDsn, sentKey } from './envelope/sent-key.js';

const PROJECT_ID = /^[1-9]\d{0,14}$/;

/** Receives events of SDKs; a response with an id means that they are stored. */
@Injectable()
export class ErrorIntakeService {
  constructor(
    private readonly admission: IntakeAdmissionPolicy,
    private readonly limit: IntakeLimit,
    private readonly bodies: SentBodiesService,
    private readonly store: ErrorEventStoreService,
  ) {}

  /** Stores an event in JSON. @throws 400, 401, 403, 404, 413, 429 */
  async takeEvent(request: Request, project: string): Promise<string | null> {
    const projectId = projectIdOf(project);
    const key = sentKey(request);
    await this.admission.enter(projectId, key);
    if (key === null) throw unauthorized();
    return this.bodies.use(request, async (body) => this.keep(projectId, oneEvent(body, new Date())));
  }

  /**
   * Stores an envelope; null if nothing in it has an id. @throws 400 and 413 if nothing in it is valid, 401,
   * 403, 404, 429
   */
  async takeEnvelope(request: Request, project: string): Promise<string | null> {
    const projectId = projectIdOf(project);
    const key = sentKey(request);
    await this.admission.enter(projectId, key);
    return this.bodies.use(request, async (body) => {
      const envelope = openEnvelope(body);
      if (!envelope) throw unreadable();
      if (key === null) await this.admission.prove(projectId, keyOfDsn(envelope.header['dsn']));
      return this.keep(projectId, await eventsOf(envelope, new Date()));
    });
  }

  /** Invalid events count for the rate limit too. */
  private async keep(projectId: number, { events, problem, id }: EnvelopeEvents): Promise<string | null> {
    await this.limit.count(projectId, Math.max(events.length, problem ? 1 : 0));
    if (events.length === 0 && problem) throw problem;
    return (await this.store.add(projectId, events)) ?? id;
  }
}

/** Parses the id of a project. @throws 404 */
function projectIdOf(text: string): number {
  if (!PROJECT_ID.test(text)) throw notFound('Project');
  return Number(text);
}
