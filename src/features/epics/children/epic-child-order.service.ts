import { Injectable } from '@nestjs/common';
import { HandOrder } from '../hand-order.js';

/** The order of the epics below an epic. */
@Injectable()
export class EpicChildOrderService extends HandOrder {
  constructor() {
    super({ table: 'epics', key: 'parent_id', kind: 'Epic' });
  }
}
