import { Controller, Get, Post, Req, Res, UseGuards, type Type } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access, type UserRule } from '#kernel/access/access.js';
import {
  type Actor,
  type ProjectSubject,
  type GroupSubject,
  CurrentActor,
  CurrentSubject,
} from '#kernel/access/caller.js';
import { notFound } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { Params } from '#kernel/http/fields/params.js';
import { LongRunning } from '#kernel/http/routes/long-running.js';
import { ACCEPTED, MessageRecord } from '#kernel/http/message.record.js';
import { Returns, ReturnsFile, ReturnsListOrOne } from '#kernel/http/answers/returns.js';
import { named } from '#kernel/http/routes/named.js';
import { MigrationSwitchGuard } from '#core/exchange/migration-switch.guard.js';
import type { Portable } from '#core/exchange/relation-export.js';
import { ExportDownloadsService } from './export-downloads.service.js';
import { DownloadExportParams, ExportStatusParams, StartExportParams } from './relation-export.params.js';
import { presentExport, RelationExportRecord } from './relation-export.record.js';
import { RelationExportsQueries, type ExportsOf } from './relation-exports.queries.js';
import { StartRelationExports } from './start-relation-exports.use-case.js';

/** Differences between the routes of groups and projects. */
interface ExportRoutes {
  readonly of: Portable;
  readonly path: string;
  readonly rule: UserRule;
}

/** Subject of an export. */
type Subject = ProjectSubject | GroupSubject;

const STATUS = 'All relations, or the one that `relation` names';

/**
 * Creates the exports controller of groups or projects (`ops.md` 1.6), which have the same routes. `name`:
 * name of the class.
 */
export function relationExportsController(name: string, { of, path, rule }: ExportRoutes): Type {
  const owned = (subject: Subject, actor: Actor): ExportsOf => ({
    of,
    ownerId: subject.id,
    userId: actor.id,
  });

  @Controller(path)
  @UseGuards(MigrationSwitchGuard)
  class RelationExportsController {
    constructor(
      private readonly starting: StartRelationExports,
      private readonly queries: RelationExportsQueries,
      private readonly downloads: ExportDownloadsService,
    ) {}

    @Post(':id/export_relations')
    @Access(rule)
    @Returns(MessageRecord, 202)
    async start(
      @CurrentSubject() subject: Subject,
      @CurrentActor() actor: Actor,
      @Params() { batched = false }: StartExportParams,
    ): Promise<MessageRecord> {
      await this.starting.run(subject, actor, batched);
      return ACCEPTED;
    }

    @Get(':id/export_relations/status')
    @Access(rule)
    @ReturnsListOrOne(RelationExportRecord, STATUS)
    status(
      @CurrentSubject() subject: Subject,
      @CurrentActor() actor: Actor,
      @Params() { relation }: ExportStatusParams,
    ): Promise<RelationExportRecord[] | RelationExportRecord> {
      return this.tell(owned(subject, actor), relation);
    }

    /** The same status at the path that a common client (gitbeaker 43) uses. */
    @Get(':id/export_relations')
    @Access(rule)
    @ReturnsListOrOne(RelationExportRecord, STATUS)
    statusAlias(
      @CurrentSubject() subject: Subject,
      @CurrentActor() actor: Actor,
      @Params() { relation }: ExportStatusParams,
    ): Promise<RelationExportRecord[] | RelationExportRecord> {
      return this.tell(owned(subject, actor), relation);
    }

    @Get(':id/export_relations/download')
    @LongRunning()
    @Access(rule)
    @ReturnsFile('The compressed file; with `Range`, a part of it', { isRanged: true })
    download(
      @CurrentSubject() subject: Subject,
      @CurrentActor() actor: Actor,
      @Params() params: DownloadExportParams,
      @Req() request: Request,
      @Res({ passthrough: true }) response: Response,
    ): Promise<FileBody> {
      return this.downloads.send(request, response, owned(subject, actor), params);
    }

    private async tell(
      exports: ExportsOf,
      relation: string | undefined,
    ): Promise<RelationExportRecord[] | RelationExportRecord> {
      const rows = await this.queries.list(exports, relation ?? null);
      const files = await this.queries.batches(rows);
      const records = rows.map((row) =>
        presentExport(
          row,
          files.filter((file) => file.export_id === row.id),
        ),
      );
      if (relation === undefined) return records;
      const [record] = records;
      if (!record) throw notFound('Export');
      return record;
    }
  }

  return named(RelationExportsController, name);
}
