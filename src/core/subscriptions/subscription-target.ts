/** Objects that users can subscribe to. */
export interface SubscriptionTarget {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic' | 'Label';
  readonly id: number;
}
