import { Controller, Delete, Get, Post, Put, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { Access } from '#kernel/access/access.js';
import { CurrentProject, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { notFound } from '#kernel/http/errors.js';
import type { FileBody } from '#kernel/http/answers/file-answer.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { RawBody } from '#kernel/http/bodies/raw-body.js';
import type { ApiRequest } from '#kernel/http/request.js';
import { Returns, ReturnsFile, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { ObjectAnswers } from '#kernel/object-storage/object-answers.js';
import { ObjectNotFound } from '#kernel/object-storage/object-storage.js';
import { FindAlertParams } from '../alerts.params.js';
import { AlertsQueries } from '../alerts.queries.js';
import { MetricImageRecord, presentMetricImage, type MetricImageRow } from './metric-image.record.js';
import {
  FindMetricImageParams,
  UpdateMetricImageParams,
  UploadMetricImageParams,
} from './metric-images.params.js';
import { MetricImagesQueries } from './metric-images.queries.js';
import { MetricImagesService } from './metric-images.service.js';
import { UploadMetricImage } from './upload-metric-image.use-case.js';

/** Metric images of alerts (`ops.md` 5.7). */
@Controller('api/v4/projects/:id/alert_management_alerts/:alert_iid/metric_images')
export class MetricImagesController {
  constructor(
    private readonly uploads: UploadMetricImage,
    private readonly images: MetricImagesService,
    private readonly queries: MetricImagesQueries,
    private readonly alerts: AlertsQueries,
    private readonly objects: ObjectAnswers,
    private readonly links: Links,
  ) {}

  @Get()
  @Access({ project: Role.Developer, feature: 'monitor' })
  @ReturnsList(MetricImageRecord)
  async list(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { alert_iid: iid }: FindAlertParams,
    @Paged() page: Page,
  ): Promise<MetricImageRecord[]> {
    const rows = await page.load(this.queries.list({ projectId: id, alertIid: iid }));
    if (rows.length === 0 && (await this.alerts.idOf(id, iid)) === null) throw notFound('Alert');
    return rows.map((row) => this.present(row, id, iid));
  }

  @Post()
  @RawBody()
  @Access({ project: Role.Developer, feature: 'monitor' })
  @Returns(MetricImageRecord, 201)
  async upload(
    @CurrentProject() project: ProjectSubject,
    @Params() params: UploadMetricImageParams,
    @Req() request: ApiRequest,
  ): Promise<MetricImageRecord> {
    return this.present(await this.uploads.run(request, project, params), project.id, params.alert_iid);
  }

  @Get(':image_id/file')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @ReturnsFile('The image; with `Range`, a part of it', { isRanged: true })
  async file(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { alert_iid: iid, image_id: imageId }: FindMetricImageParams,
    @Req() request: Request,
    @Res({ passthrough: true }) response: Response,
  ): Promise<FileBody> {
    const found = await this.queries.file({ projectId: id, alertIid: iid }, imageId);
    if (!found) throw notFound('Metric Image');
    const { filename: name, key, ...image } = found;
    return this.objects.send(request, response, { ...image, key, name }).catch(asNotFound);
  }

  @Put(':image_id')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @Returns(MetricImageRecord)
  async update(
    @CurrentProject() project: ProjectSubject,
    @Params() params: UpdateMetricImageParams,
  ): Promise<MetricImageRecord> {
    return this.present(await this.images.update(project, params), project.id, params.alert_iid);
  }

  @Delete(':image_id')
  @Access({ project: Role.Developer, feature: 'monitor' })
  @ReturnsNothing()
  async remove(
    @CurrentProject() project: ProjectSubject,
    @Params() params: FindMetricImageParams,
  ): Promise<void> {
    await this.images.remove(project, params);
  }

  private present(row: MetricImageRow, projectId: number, alertIid: number): MetricImageRecord {
    return presentMetricImage(row, { projectId, alertIid }, this.links);
  }
}

function asNotFound(error: unknown): never {
  throw error instanceof ObjectNotFound ? notFound('Metric Image') : error;
}
