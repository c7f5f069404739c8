import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startApi, type TestApi } from '../../support/api.js';

describe('metrics of the service', () => {
  let api: TestApi;
  let text: string;
  beforeAll(async () => {
    api = await startApi();
    text = await (await fetch(`${api.url}/-/metrics`)).text();
  });
  afterAll(() => api.close());

  const figure = (series: string): number =>
    Number(
      text
        .split('\n')
        .find((line) => line.startsWith(`${series} `))
        ?.split(' ')[1],
    );

  it('report which dependencies work', () => {
    for (const name of ['database', 'migrations', 'object_storage', 'storage_default'])
      expect([name, figure(`dependency_up{dependency="${name}"}`)]).toEqual([name, 1]);
  });

  it('report the free space of the disks', () => {
    for (const disk of ['data', 'storage_default']) {
      const [free, size] = [`disk_free_bytes{disk="${disk}"}`, `disk_size_bytes{disk="${disk}"}`].map(figure);
      expect(free).toBeGreaterThan(0);
      expect(size).toBeGreaterThan(free ?? NaN);
    }
  });

  it('report how many requests are being served, including this one', () => {
    expect(figure('http_requests_in_flight')).toBe(1);
  });

  it('exist before the first event that they count', () => {
    for (const series of [
      'mails_total{result="failed"}',
      'mails_total{result="sent"}',
      'object_store_errors_total',
    ])
      // It includes counts of other specs in this process.
      expect([series, figure(series) >= 0]).toEqual([series, true]);
  });
});
