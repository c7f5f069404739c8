import { Controller, Put } from '@nestjs/common';
import { Access } from '#kernel/access/access.js';
import { type ProjectCaller, CurrentCaller } from '#kernel/access/caller.js';
import { Role } from '#kernel/access/roles.js';
import { Params } from '#kernel/http/fields/params.js';
import { Returns } from '#kernel/http/answers/returns.js';
import { GroupLabelRecord, presentGroupLabel } from '../label.record.js';
import { FindLabelParams, NameLabelParams } from '../labels.params.js';
import { LabelsQueries } from '../labels.queries.js';
import { writableContainer } from '../reach/planning-access.js';
import { PromoteLabel } from './promote-label.use-case.js';

/** Promotes labels of projects to their groups. */
@Controller('api/v4/projects')
export class LabelPromotionController {
  constructor(
    private readonly promotion: PromoteLabel,
    private readonly queries: LabelsQueries,
  ) {}

  @Put(':id/labels/:label_id/promote')
  @Access({ project: Role.Reporter })
  @Returns(GroupLabelRecord)
  promote(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { label_id: label }: FindLabelParams,
  ): Promise<GroupLabelRecord> {
    return this.promoteOne(caller, label);
  }

  /** The former route. */
  @Put(':id/labels/promote')
  @Access({ project: Role.Reporter })
  @Returns(GroupLabelRecord)
  promoteNamed(
    @CurrentCaller() caller: ProjectCaller,
    @Params() { name: label, label_id: id }: NameLabelParams,
  ): Promise<GroupLabelRecord> {
    return this.promoteOne(caller, id ?? label ?? '');
  }

  private async promoteOne(caller: ProjectCaller, label: string): Promise<GroupLabelRecord> {
    writableContainer(caller);
    const { id } = await this.queries.find(caller, label, false);
    return presentGroupLabel(await this.queries.find(caller, await this.promotion.run(caller, id)));
  }
}
