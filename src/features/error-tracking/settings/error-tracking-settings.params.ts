import { Flag, Id } from '#kernel/http/fields/scalar-fields.js';

const ACTIVE = 'Whether errors are tracked';
const INTEGRATED = 'Whether this service keeps them itself';

/** `PUT /projects/:id/error_tracking/settings`. */
export class PutErrorTrackingSettingsParams {
  @Flag({ blankText: 'is empty', description: ACTIVE })
  active!: boolean;

  @Flag({ description: INTEGRATED })
  integrated!: boolean;
}

/** `PATCH /projects/:id/error_tracking/settings`. */
export class PatchErrorTrackingSettingsParams {
  @Flag({ blankText: 'is empty', description: ACTIVE })
  active!: boolean;

  @Flag({ optional: true, description: INTEGRATED })
  integrated?: boolean;
}

/** Path parameters of a key. */
export class ClientKeyPath {
  @Id()
  key_id!: number;
}
