import { Injectable } from '@nestjs/common';
import { STATEMENT_TIME } from '#kernel/database/time.sql.js';
import { Transactions, type Tx } from '#kernel/database/transactions.js';
import type { SentImage } from '#kernel/http/fields/image-field.js';
import { ObjectClaims } from '#kernel/object-storage/claims/object-claims.js';
import { ObjectStorage, type StoredObject } from '#kernel/object-storage/object-storage.js';
import type { AvatarKind } from './avatar-kind.js';

/** Sets the uploaded avatar of an object, whose row the transaction has locked. */
export type PutAvatar = (tx: Tx, kind: AvatarKind, id: number) => Promise<void>;

/** An image with stored content. */
interface StoredImage extends StoredObject {
  readonly filename: string;
  readonly key: string;
  readonly type: string;
}

const TABLES: Readonly<Record<AvatarKind, string>> = {
  user: 'users',
  group: 'namespaces',
  project: 'projects',
};

const LOCK_USER = 'select id from users where id = $1 for no key update';

const nothing: PutAvatar = () => Promise.resolve();

/** Stores avatars: first their content, then the row that refers to it, or neither. */
@Injectable()
export class AvatarUploadsService {
  constructor(
    private readonly claims: ObjectClaims,
    private readonly storage: ObjectStorage,
    private readonly transactions: Transactions,
  ) {}

  /**
   * Runs `work`, in whose transaction `put` sets the avatar; null removes the present one, undefined keeps
   * it. Stored content is removed if `work` fails or does not use it.
   */
  async bring<T>(image: SentImage | null | undefined, work: (put: PutAvatar) => Promise<T>): Promise<T> {
    if (image === undefined) return work(nothing);
    if (image === null) return work((tx, kind, id) => replace(tx, kind, id, null));
    const key = await this.claims.claim('avatars');
    try {
      const stored = await this.storage.put(key, image.content, { contentType: image.type });
      const { filename, type } = image;
      return await work(async (tx, kind, id) => {
        await this.claims.keep(tx, key);
        await replace(tx, kind, id, { ...stored, filename, key, type });
      });
    } catch (error) {
      await this.claims.giveUp(key);
      throw error;
    }
  }

  /** Sets the avatar of a user; null removes it. */
  async setOfUser(id: number, image: SentImage | null): Promise<void> {
    await this.bring(image, (put) =>
      this.transactions.run(async (tx) => {
        await tx.query(LOCK_USER, [id]);
        await put(tx, 'user', id);
      }),
    );
  }
}

/** The object of the former avatar is removed with its row. */
async function replace(tx: Tx, kind: AvatarKind, id: number, image: StoredImage | null): Promise<void> {
  const filename = image?.filename ?? null;
  await tx.query(`delete from avatars where ${kind}_id = $1`, [id]);
  if (image)
    await tx.query(
      `insert into avatars (${kind}_id, filename, object_key, content_type, size, sha256) values ($1, $2, $3, $4, $5, $6)`,
      [id, filename, image.key, image.type, image.size, image.sha256],
    );
  await tx.query(
    `update ${TABLES[kind]} set avatar = $2, updated_at = ${STATEMENT_TIME} where id = $1 and (avatar is not null or $2::text is not null)`,
    [id, filename],
  );
  if (kind === 'user')
    await tx.query('update namespaces set avatar = $2 where owner_id = $1', [id, filename]);
}
