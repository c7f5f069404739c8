import { Injectable } from '@nestjs/common';
import { InternalUsersService } from '../internal/internal-users.service.js';

/** The user who inherits the contributions of removed users; a single one, created when first needed. */
@Injectable()
export class GhostService {
  constructor(private readonly users: InternalUsersService) {}

  /** Returns the id of the ghost. */
  id(): Promise<number> {
    return this.users.id({
      type: 'ghost',
      username: 'ghost',
      name: 'Ghost User',
      bio: 'This is a "Ghost User", created to hold all issues authored by users that have since been deleted.',
    });
  }
}
