import { Injectable } from '@nestjs/common';
import { CommandReferenceFinder } from '../targets/command-reference.finder.js';
import type { QuickAction } from '../quick-action.js';
import { copyMetadataAction } from './copy-metadata-action.js';
import { labelsAction } from './labels-action.js';
import { assigneesAction } from './people-action.js';
import { lockAction, milestoneAction } from './plan-actions.js';
import { ccAction, stateAction } from './state-action.js';
import { TalkActionsService } from './talk-actions.service.js';
import { titleAction } from './title-action.js';

/** The commands that issues and merge requests both take. */
@Injectable()
export class PlannedTargetActionsService {
  constructor(
    private readonly talk: TalkActionsService,
    private readonly things: CommandReferenceFinder,
  ) {}

  /** All of them; `title` is the one that changes the title, which says more of some things. */
  all(title: QuickAction = titleAction()): QuickAction[] {
    return [
      title,
      labelsAction,
      assigneesAction,
      milestoneAction,
      lockAction,
      stateAction,
      copyMetadataAction(this.things),
      ccAction,
      ...this.talk.ofThings(),
      ...this.talk.ofTimes(),
    ];
  }
}
