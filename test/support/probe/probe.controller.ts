import { Controller, Delete, Get, Post, Put, Req } from '@nestjs/common';
import type { Request } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import { Access } from '#kernel/access/access.js';
import { ListQuery, type ListShape } from '#kernel/database/lists/list-query.js';
import { ReadDatabase } from '#kernel/database/reads/read-database.js';
import { Transactions } from '#kernel/database/transactions.js';
import { HttpError } from '#kernel/http/errors.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Page } from '#kernel/http/paging/page.js';
import { Params } from '#kernel/http/fields/params.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import { ProbeAmount, ProbeEcho, ProbeParams, ProbeRequired, ProbeRow } from './probe.records.js';

const SHAPE: ListShape = {
  kind: 'Probe',
  select: 'r.id, r.name',
  from: `(select n::bigint as id, 'row ' || lpad((n % 7)::text, 2, '0') as name from generate_series(1, 10050) n) r`,
  key: 'r.id',
  keyset: {
    name: {
      columns: [
        { sql: 'r.name', property: 'name', type: 'text' },
        { sql: 'r.id', property: 'id', type: 'bigint' },
      ],
      directions: ['asc'],
    },
  },
};

/** Last change of the only object of the probe. */
export const CHANGED_AT = new Date('2024-05-01T12:00:00.500Z');

/** Routes that show how the kernel processes a request, without any domain. */
@Controller('api/v4/probe')
export class ProbeController {
  constructor(
    private readonly database: ReadDatabase,
    private readonly transactions: Transactions,
  ) {}

  @Get('echo')
  @Access({ user: true })
  @Returns(ProbeEcho)
  get(@Params() given: ProbeParams): ProbeEcho {
    return { given };
  }

  @Post('echo')
  @Access({ user: true })
  @Returns(ProbeEcho, 201)
  post(@Params() given: ProbeParams): ProbeEcho {
    return { given };
  }

  /** Fails as libraries do. */
  @Get('foreign')
  @Access({ user: true })
  @ReturnsNothing()
  @Refuses({ 422: 'The library says so' })
  foreign(@Req() { url }: Request): never {
    const isExposed = url.includes('exposed=true');
    throw Object.assign(new Error('a secret of theirs'), { status: 422, expose: isExposed });
  }

  @Post('raw')
  @Access({ user: true })
  @RawBody()
  @Returns(ProbeAmount, 201)
  async raw(@Req() request: Request): Promise<ProbeAmount> {
    let amount = 0;
    for await (const chunk of request) amount += (chunk as Buffer).length;
    return { amount };
  }

  @Put('required/:name')
  @Access({ user: true })
  @Returns(ProbeEcho)
  put(@Params() given: ProbeRequired): ProbeEcho {
    return { given };
  }

  @Post('required')
  @Access({ user: true })
  @Returns(ProbeEcho, 201)
  create(@Params() given: ProbeRequired): ProbeEcho {
    return { given };
  }

  @Get('slow')
  @Access({ user: true })
  @Returns(ProbeEcho)
  async slow(@Params() { amount }: ProbeAmount): Promise<ProbeEcho> {
    await sleep(amount);
    return { given: amount };
  }

  @Get('rows')
  @Access({ user: true })
  @ReturnsList(ProbeRow)
  rows(@Params() { amount }: ProbeAmount, @Paged() page: Page): Promise<ProbeRow[]> {
    return page.load(new ListQuery<ProbeRow>(SHAPE).where('r.id <= ?', amount));
  }

  @Get('memory')
  @Access({ user: true })
  @ReturnsList(ProbeRow)
  memory(@Params() { amount }: ProbeAmount, @Paged() page: Page): ProbeRow[] {
    return page.slice(Array.from({ length: amount }, (_, index) => ({ id: index + 1, name: 'x' })));
  }

  /** Responds with an undeclared status. */
  @Get('unsaid')
  @Access({ user: true })
  @ReturnsNothing()
  unsaid(): never {
    throw new HttpError(418, { message: '418' });
  }

  @Get('wrong')
  @Access({ user: true })
  @Returns(ProbeRow)
  wrong(): unknown {
    return { id: 1, name: 'x', secret: 'y' };
  }

  @Get('read-sleep')
  @Access({ user: true })
  @Returns(ProbeEcho)
  async readSleep(): Promise<ProbeEcho> {
    await this.database.long('select pg_sleep(3)::text as slept', []);
    return { given: 'slept' };
  }

  @Post('write-sleep')
  @Access({ user: true })
  @Returns(ProbeEcho, 201)
  async writeSleep(): Promise<ProbeEcho> {
    await this.transactions.run((tx) => tx.query('select pg_sleep(3)'));
    return { given: 'slept' };
  }

  @Delete('thing')
  @Access({ user: true })
  @ReturnsNothing()
  remove(@Unmodified() unmodified: UnmodifiedCheck): void {
    unmodified(CHANGED_AT);
  }
}
