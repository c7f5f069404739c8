import { Injectable } from '@nestjs/common';
import type { Role } from '#kernel/access/roles.js';
import type { Tx } from '#kernel/database/transactions.js';
import { Member, type MemberSource } from './member.entity.js';

/** A membership to be. */
export interface NewMember {
  readonly sourceType: MemberSource;
  readonly sourceId: number;
  readonly userId: number;
  readonly accessLevel: Role;
  readonly createdById: number | null;
  readonly expiresAt: string | null;
}

/** Memberships of groups and projects. */
@Injectable()
export class MembersService {
  /** Adds a member; the unique index refuses a second membership of the same user. */
  async add(tx: Tx, member: NewMember): Promise<Member> {
    return tx.save(tx.create(Member, member));
  }

  /** Removes every membership of a group or project that is being deleted. */
  async removeAll(tx: Tx, sourceType: MemberSource, sourceId: number): Promise<void> {
    await tx.delete(Member, { sourceType, sourceId });
  }
}
