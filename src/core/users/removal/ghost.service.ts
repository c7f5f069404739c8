import { Injectable } from '@nestjs/common';
import { InternalUsersService } from '../internal/internal-users.service.js';

/** The user that inherits what removed users did; there is one at most, made when first needed. */
@Injectable()
export class GhostService {
  constructor(private readonly users: InternalUsersService) {}

  /** Id of the ghost. */
  id(): Promise<number> {
    return this.users.id({
      type: 'ghost',
      username: 'ghost',
      name: 'Ghost User',
      bio: 'This is a "Ghost User", created to hold all issues authored by users that have since been deleted.',
    });
  }
}
