import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { CurrentCaller, CurrentProject, type Caller, type ProjectSubject } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/unmodified-since.js';
import { MergeRequestCreation } from './create-merge-request.js';
import { MergeRequestAccess } from './merge-request-access.js';
import { MergeRequestDetailRecord } from './merge-request-detail.record.js';
import { MergeRequestDetails } from './merge-request-details.js';
import { MERGE_REQUEST_READ, MERGE_REQUEST_TALK } from './merge-request-rules.js';
import {
  CreateMergeRequest,
  FindMergeRequest,
  ShowMergeRequest,
  UpdateMergeRequest,
} from './merge-requests.params.js';
import { MergeRequestQueries } from './merge-requests.queries.js';
import { MergeRequestRemoval } from './remove-merge-request.js';
import { presentReviewer, ReviewerRecord } from './reviewer.record.js';
import { MergeRequestUpdate } from './update-merge-request.js';

/** Single merge requests of a project (`planning.md` 5.3). */
@Controller('api/v4/projects/:id/merge_requests')
export class MergeRequestsController {
  constructor(
    private readonly creation: MergeRequestCreation,
    private readonly changes: MergeRequestUpdate,
    private readonly removal: MergeRequestRemoval,
    private readonly details: MergeRequestDetails,
    private readonly access: MergeRequestAccess,
    private readonly queries: MergeRequestQueries,
    private readonly links: Links,
  ) {}

  /** The project of the path is that of the source branch. */
  @Post()
  @Access({ project: Role.Developer, feature: 'repository' })
  @Returns(MergeRequestDetailRecord, 201)
  async create(
    @CurrentCaller() caller: Caller,
    @Params() params: CreateMergeRequest,
  ): Promise<MergeRequestDetailRecord> {
    const { projectId, iid } = await this.creation.create(caller, params);
    return this.details.created(caller, projectId, iid);
  }

  @Get(':merge_request_iid')
  @Access(MERGE_REQUEST_READ)
  @Returns(MergeRequestDetailRecord)
  find(
    @CurrentCaller() caller: Caller,
    @Params() params: ShowMergeRequest,
  ): Promise<MergeRequestDetailRecord> {
    return this.details.record(caller, params);
  }

  @Put(':merge_request_iid')
  @Access(MERGE_REQUEST_TALK)
  @Returns(MergeRequestDetailRecord)
  async update(
    @CurrentCaller() caller: Caller,
    @Params() params: UpdateMergeRequest,
  ): Promise<MergeRequestDetailRecord> {
    await this.changes.update(caller, params);
    return this.details.record(caller, { merge_request_iid: params.merge_request_iid });
  }

  @Delete(':merge_request_iid')
  @Access({ project: Role.Owner, feature: 'merge_requests' })
  @ReturnsNothing()
  remove(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { merge_request_iid: iid }: FindMergeRequest,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.removal.remove(id, iid, unmodified);
  }

  @Get(':merge_request_iid/reviewers')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(ReviewerRecord)
  async reviewers(
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequest,
    @Paged() page: Page,
  ): Promise<ReviewerRecord[]> {
    const { id } = await this.access.find(caller, iid);
    const rows = await page.load(this.queries.reviewers(id));
    return rows.map((row) => presentReviewer(row, this.links));
  }
}
