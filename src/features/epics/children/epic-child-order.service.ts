import { Injectable } from '@nestjs/common';
import { HandOrder } from '../hand-order.js';

/** The order of child epics. */
@Injectable()
export class EpicChildOrderService extends HandOrder {
  constructor() {
    super({ table: 'epics', key: 'parent_id', kind: 'Epic' });
  }
}
