/** What somebody can want to hear of. */
export interface SubscriptionTarget {
  readonly type: 'Issue' | 'MergeRequest' | 'Epic' | 'Label';
  readonly id: number;
}
