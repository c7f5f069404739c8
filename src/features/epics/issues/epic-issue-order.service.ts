import { Injectable } from '@nestjs/common';
import { HandOrder } from '../hand-order.js';

/** The order of issues of an epic. */
@Injectable()
export class EpicIssueOrderService extends HandOrder {
  constructor() {
    super({ table: 'epic_issues', key: 'epic_id', kind: 'Epic Issue' });
  }
}
