import { Controller, Delete, Get, Post, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import {
  type Caller,
  type UserCaller,
  type ProjectCaller,
  type ProjectSubject,
  CurrentCaller,
  CurrentProject,
} from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Links } from '#kernel/http/links.js';
import type { Page } from '#kernel/http/paging/page.js';
import { Paged } from '#kernel/http/paging/paged.js';
import { Refuses } from '#kernel/http/answers/refuses.js';
import { Returns, ReturnsList, ReturnsNothing } from '#kernel/http/answers/returns.js';
import { Unmodified, type UnmodifiedCheck } from '#kernel/http/answers/unmodified-since.js';
import type { Noteable } from '#core/notes/noteables/noteable.js';
import {
  DescriptionCommandsService,
  type NewTarget,
} from '#core/quick-actions/description-commands.service.js';
import { CreateMergeRequest } from './writes/create-merge-request.use-case.js';
import { MergeRequestFinder } from './merge-request.finder.js';
import { MergeRequestDetailRecord } from './records/merge-request-detail.record.js';
import { MergeRequestDetailPresenter } from './records/merge-request-detail.presenter.js';
import { MERGE_REQUEST_READ, MERGE_REQUEST_TALK } from './merge-request.access.js';
import {
  CreateMergeRequestParams,
  FindMergeRequestParams,
  ShowMergeRequestParams,
  UpdateMergeRequestParams,
} from './merge-requests.params.js';
import { MergeRequestsQueries } from './merge-requests.queries.js';
import { MergeRequestNoteableContribution } from './merge-request-noteable.contribution.js';
import { DeleteMergeRequest } from './writes/delete-merge-request.use-case.js';
import { presentReviewer, ReviewerRecord } from './records/reviewer.record.js';
import { UpdateMergeRequest } from './writes/update-merge-request.use-case.js';

/** Project and number of a new merge request. */
interface Created {
  readonly projectId: number;
  readonly iid: number;
}

/** Single merge requests of a project (`planning.md` 5.3). */
@Controller('api/v4/projects/:id/merge_requests')
export class MergeRequestsController {
  constructor(
    private readonly creation: CreateMergeRequest,
    private readonly changes: UpdateMergeRequest,
    private readonly removal: DeleteMergeRequest,
    private readonly details: MergeRequestDetailPresenter,
    private readonly access: MergeRequestFinder,
    private readonly queries: MergeRequestsQueries,
    private readonly links: Links,
    private readonly commands: DescriptionCommandsService,
    private readonly source: MergeRequestNoteableContribution,
  ) {}

  /** The project in the path is that of the source branch. */
  @Post()
  @Access({ project: Role.Developer, feature: 'repository' })
  @Returns(MergeRequestDetailRecord, 201)
  @Refuses({
    409: 'Another merge request is open for these branches',
    422: 'A branch does not exist, or the branches cannot be merged',
  })
  async create(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: CreateMergeRequestParams,
  ): Promise<MergeRequestDetailRecord> {
    // Ask git before the transaction of the merge request and its quick actions, which holds locks.
    const way = await this.creation.way(caller, params);
    const create = (wanted: CreateMergeRequestParams): Promise<Created> =>
      this.creation.run(caller, wanted, way);
    const { projectId, iid } = await this.commands.create(
      caller,
      this.commandTargetOf(caller, params),
      params,
      create,
    );
    return this.details.created(caller, projectId, iid);
  }

  @Get(':merge_request_iid')
  @Access(MERGE_REQUEST_READ)
  @Returns(MergeRequestDetailRecord)
  find(
    @CurrentCaller() caller: ProjectCaller,
    @Params() params: ShowMergeRequestParams,
  ): Promise<MergeRequestDetailRecord> {
    return this.details.record(caller, params);
  }

  @Put(':merge_request_iid')
  @Refuses({
    409: 'Another merge request is open for these branches',
    422: 'A branch does not exist, or the branches cannot be merged',
  })
  @Access(MERGE_REQUEST_TALK)
  @Returns(MergeRequestDetailRecord)
  async update(
    @CurrentCaller() caller: UserCaller & ProjectCaller,
    @Params() params: UpdateMergeRequestParams,
  ): Promise<MergeRequestDetailRecord> {
    const { merge_request_iid: iid } = params;
    const update = (wanted: UpdateMergeRequestParams): Promise<void> => this.changes.run(caller, wanted);
    await this.commands.update(caller, params, update, () => this.source.find(caller, iid));
    return this.details.record(caller, { merge_request_iid: iid });
  }

  @Delete(':merge_request_iid')
  @Access({ project: Role.Owner, feature: 'merge_requests' })
  @ReturnsNothing()
  remove(
    @CurrentProject() { id }: ProjectSubject,
    @Params() { merge_request_iid: iid }: FindMergeRequestParams,
    @Unmodified() unmodified: UnmodifiedCheck,
  ): Promise<void> {
    return this.removal.run(id, iid, unmodified);
  }

  @Get(':merge_request_iid/reviewers')
  @Access(MERGE_REQUEST_READ)
  @ReturnsList(ReviewerRecord)
  async reviewers(
    @CurrentCaller() caller: Caller,
    @Params() { merge_request_iid: iid }: FindMergeRequestParams,
    @Paged() page: Page,
  ): Promise<ReviewerRecord[]> {
    const { id } = await this.access.find(caller, iid);
    const rows = await page.load(this.queries.reviewers(id));
    return rows.map((row) => presentReviewer(row, this.links));
  }

  /**
   * The quick actions of a merge request in another project are not run: the guards checked the caller's
   * access only to this one.
   */
  private commandTargetOf(
    caller: ProjectCaller,
    { target_project_id: targetId }: CreateMergeRequestParams,
  ): NewTarget<Created> {
    const { id } = caller.subject;
    const projectId = targetId ?? id;
    const find = ({ iid }: Created): Promise<Noteable | null> =>
      projectId === id ? this.source.find(caller, iid) : Promise.resolve(null);
    return { type: 'MergeRequest', projectId, groupId: null, find };
  }
}
