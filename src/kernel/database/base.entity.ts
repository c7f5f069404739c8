import { CreateDateColumn, PrimaryGeneratedColumn, UpdateDateColumn } from 'typeorm';

/** Columns of nearly every table: a numeric id and both timestamps. */
export abstract class BaseEntity {
  @PrimaryGeneratedColumn('identity', { type: 'bigint', generatedIdentity: 'BY DEFAULT' })
  id!: number;

  @CreateDateColumn({ name: 'created_at', type: 'timestamptz' })
  createdAt!: Date;

  @UpdateDateColumn({ name: 'updated_at', type: 'timestamptz' })
  updatedAt!: Date;
}

/** Tells whether any of the values differs from that of the row: what changes nothing is not a change. */
export const differs = <Row extends object>(row: Row, values: Partial<Row>): boolean =>
  (Object.keys(values) as (keyof Row)[]).some((name) => values[name] !== row[name]);
