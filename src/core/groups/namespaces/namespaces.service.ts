import { Injectable } from '@nestjs/common';
import type { Tx } from '#kernel/database/transactions.js';
import type { User } from '#core/users/user.entity.js';
import { usernameTaken } from '#core/users/changes/user-errors.js';
import { Namespace } from './namespace.entity.js';
import { NamespaceTreeService } from './namespace-tree.service.js';
import { RoutesService } from './routes.service.js';

/** A namespace to insert. */
export type NewNamespace = Pick<Namespace, 'type' | 'name' | 'path' | 'visibility' | 'ownerId'> &
  Partial<Pick<Namespace, 'description' | 'settings'>>;

/** Manages the rows of groups and users' namespaces. */
@Injectable()
export class NamespacesService {
  constructor(
    private readonly routes: RoutesService,
    private readonly tree: NamespaceTreeService,
  ) {}

  /** Inserts a namespace below `parent` and claims its path; null if the path is taken. */
  async insert(tx: Tx, fields: NewNamespace, parent: Namespace | null): Promise<Namespace | null> {
    const [next] = await tx.query<{ id: number }[]>(
      `select nextval(pg_get_serial_sequence('namespaces', 'id')) as id`,
    );
    const id = Number(next?.id);
    const fullPath = parent ? `${parent.fullPath}/${fields.path}` : fields.path;
    const position = {
      fullPath,
      fullName: parent ? `${parent.fullName} / ${fields.name}` : fields.name,
      parentId: parent?.id ?? null,
      traversalIds: [...(parent?.traversalIds ?? []), id],
    };
    const { settings = {}, ...columns } = fields;
    await tx.insert(Namespace, { id, ...columns, ...position, settings: settings as object });
    if (!(await this.routes.claim(tx, fullPath, 'Namespace', id))) return null;
    return tx.findOneByOrFail(Namespace, { id });
  }

  /** Creates the namespace of a new user at the username. @throws 409 if the path is taken */
  async createUserNamespace(tx: Tx, user: Pick<User, 'id' | 'username' | 'name'>): Promise<void> {
    const fields = { type: 'User', visibility: 'public', ownerId: user.id } as const;
    const created = await this.insert(tx, { ...fields, name: user.name, path: user.username }, null);
    if (!created) throw usernameTaken();
  }

  /** Renames the namespace of a user. @throws 409 if the path is taken */
  async rename(tx: Tx, user: Pick<User, 'id' | 'username' | 'name'>): Promise<void> {
    await this.tree.lock(tx);
    const namespace = await tx.findOneBy(Namespace, { ownerId: user.id });
    if (!namespace) return;
    const moved = await this.tree.relocate(tx, namespace, {
      name: user.name,
      path: user.username,
      parent: null,
    });
    if (!moved) throw usernameTaken();
  }

  /**
   * Returns a namespace with a shared lock until `tx` ends: use it before creating something in it, whose
   * full path contains that of the namespace. Null if it no longer exists or is being removed.
   */
  async findForContent(tx: Tx, id: number): Promise<Namespace | null> {
    return tx.findOne(Namespace, {
      where: { id, pendingDelete: false },
      lock: { mode: 'pessimistic_read' },
    });
  }
}
