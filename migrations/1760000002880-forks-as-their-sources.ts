import type { MigrationInterface, QueryRunner } from 'typeorm';

const rank = (column: string): string =>
  `array_position(array['private', 'internal', 'public'], ${column}::text)`;

/**
 * Forks that were made wider than their sources before that was refused become as narrow as these, and the forks of those in turn.
 */
export class ForksAsTheirSources1760000002880 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      do $$
      begin
        loop
          update projects f set visibility = s.visibility, updated_at = now() from projects s
            where s.id = f.forked_from_id and ${rank('f.visibility')} > ${rank('s.visibility')};
          exit when not found;
        end loop;
      end $$`);
  }

  /** Who was wider is told nowhere, and should not be so again. */
  async down(): Promise<void> {}
}
