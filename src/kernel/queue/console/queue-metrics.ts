import { Injectable, type OnModuleInit } from '@nestjs/common';
import { registerLabelledGauge } from '#kernel/log/labelled-gauge.js';
import { registerGauge } from '#kernel/log/gauges.js';
import { QueueStates, type QueueStanding } from './queue-states.js';

type Figure = (standing: QueueStanding) => number;

/** Exports the queues as metrics. */
@Injectable()
export class QueueMetrics implements OnModuleInit {
  constructor(private readonly states: QueueStates) {}

  onModuleInit(): void {
    this.gauge('jobs_waiting', 'Due jobs that have not started, by queue', ({ waiting }) => waiting);
    this.gauge(
      'jobs_oldest_waiting_seconds',
      'Age of the oldest due job that has not started, by queue',
      ({ oldestSeconds }) => oldestSeconds,
    );
    this.gauge('jobs_delayed', 'Jobs for later, by queue', ({ delayed }) => delayed);
    this.gauge('jobs_running', 'Jobs that run, by queue', ({ running }) => running);
    this.gauge('jobs_failed', 'Jobs kept after their last attempt, by queue', ({ failed }) => failed);
    this.gauge('queue_paused', 'Whether the queue is paused (1)', ({ pausedAt }) =>
      pausedAt === null ? 0 : 1,
    );
    registerGauge(
      'outbox_pending',
      'Due jobs that have not started',
      async () => (await this.states.lately()).reduce((sum, { waiting }) => sum + waiting, 0),
      'max',
    );
    registerGauge(
      'outbox_lag_seconds',
      'Age of the oldest due job that has not started',
      async () => Math.max(0, ...(await this.states.lately()).map(({ oldestSeconds }) => oldestSeconds)),
      'max',
    );
  }

  private gauge(name: string, help: string, figure: Figure): void {
    registerLabelledGauge(
      name,
      help,
      'queue',
      async () => new Map((await this.states.lately()).map((standing) => [standing.queue, figure(standing)])),
    );
  }
}
