import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { ROOT_TOKEN, type TestApi } from '../../../support/api.js';
import { startProbedApi } from '../../../support/probe/start-probed-api.js';

const FORM = { 'Content-Type': 'application/x-www-form-urlencoded' };

interface Echo {
  given: Record<string, unknown>;
}

describe('encodings', () => {
  let api: TestApi;
  beforeAll(async () => {
    api = await startProbedApi();
  });
  afterAll(() => api.close());

  const expected = {
    text: 'a b',
    number: 7,
    flag: true,
    names: ['x', 'y'],
    hash: { key: 'k', digit: 3 },
    hashes: [
      { key: 'one', digit: 1 },
      { key: 'two', digit: 2 },
    ],
  };
  const query =
    'text=a%20b&number=7&flag=yes&names[]=x&names[]=y&hash[key]=k&hash[digit]=3' +
    '&hashes[0][key]=one&hashes[0][digit]=1&hashes[1][key]=two&hashes[1][digit]=2';

  it('accept parameters in query, JSON, form and multipart', async () => {
    expect((await api.root.get<Echo>(`/probe/echo?${query}`)).body.given).toEqual(expected);
    expect((await api.root.post<Echo>('/probe/echo', expected)).body.given).toEqual(expected);
    expect((await api.root.post<Echo>('/probe/echo', query, FORM)).body.given).toEqual(expected);
    const encoded = query.replaceAll('[', '%5B').replaceAll(']', '%5D');
    expect((await api.root.post<Echo>('/probe/echo', encoded, FORM)).body.given).toEqual(expected);
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(query)) form.append(name, value);
    form.append('upload', new Blob(['a file is passed over']), 'x.txt');
    const answer = await fetch(`${api.url}/api/v4/probe/echo`, {
      method: 'POST',
      headers: { 'PRIVATE-TOKEN': ROOT_TOKEN },
      body: form,
    });
    expect(((await answer.json()) as Echo).given).toEqual(expected);
  });

  it('take the values of multipart fields as they are', async () => {
    const names = ['+', '%41', 'a=b&c=d', '[x]', '1', 'é€𝄞', 'a[]=1'];
    const form = new FormData();
    for (const name of names) form.append('names[]', name);
    form.append('text', '%2B+&names[]=z');
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
    const answer = await fetch(`${api.url}/api/v4/probe/echo`, { method: 'POST', headers, body: form });
    expect(((await answer.json()) as Echo).given).toEqual({ names, text: '%2B+&names[]=z' });
  });

  it('accept lists of hashes without indexes, as Ruby writes them', async () => {
    const nameless = query.replaceAll(/hashes\[\d\]/g, 'hashes[]');
    expect((await api.root.get<Echo>(`/probe/echo?${nameless}`)).body.given).toEqual(expected);
    for (const form of [nameless, nameless.replaceAll('[', '%5B').replaceAll(']', '%5D')])
      for (const unknown of ['', `&unknown=${'x'.repeat(4_000)}`])
        expect((await api.root.post<Echo>('/probe/echo', form + unknown, FORM)).body.given).toEqual(expected);
    const form = new FormData();
    for (const [name, value] of new URLSearchParams(nameless)) form.append(name, value);
    const headers = { 'PRIVATE-TOKEN': ROOT_TOKEN };
    const answer = await fetch(`${api.url}/api/v4/probe/echo`, { method: 'POST', headers, body: form });
    expect(((await answer.json()) as Echo).given).toEqual(expected);
  });

  it('allow a body without a content type as a form, and any charset', async () => {
    const headers = { 'Content-Type': '' };
    expect((await api.root.post<Echo>('/probe/echo', 'number=5', headers)).body.given).toEqual({ number: 5 });
    for (const charset of ['UTF-8', 'iso-8859-1', 'us-ascii']) {
      const json = { 'Content-Type': `application/json; charset=${charset}` };
      const answer = await api.root.post<Echo>('/probe/echo', '{"text":"\u00e4"}', json);
      expect([charset, answer.status, answer.body.given]).toEqual([charset, 201, { text: '\u00e4' }]);
    }
  });

  it('prefer parameters of the path, then the body, then the query, and ignore unknown ones', async () => {
    const answer = await api.root.put<Echo>('/probe/required/path?name=query&amount=1', {
      name: 'body',
      amount: 2,
      unknown: { deep: [1] },
    });
    expect(answer.body.given).toEqual({ name: 'path', amount: 2 });
  });

  it('coerce values as v4 clients need it', async () => {
    const { body } = await api.root.post<Echo>('/probe/echo', {
      text: 5,
      number: '12',
      flag: 'off',
      ids: '1, 2',
      moment: '2024-01-02T03:04:05+01:00',
      maybe: '',
    });
    expect(body.given).toEqual({
      text: '5',
      number: 12,
      flag: false,
      ids: [1, 2],
      moment: '2024-01-02T02:04:05.000Z',
      maybe: null,
    });
  });

  it('treat a blank as missing if it is not a value of the type', async () => {
    const blank = 'number=&weight=&flag=&moment=&day=';
    expect((await api.root.get<Echo>(`/probe/echo?${blank}&text=`)).body.given).toEqual({ text: '' });
    expect((await api.root.get('/probe/echo?color=')).body).toEqual({
      message: { color: ['does not have a valid value'] },
    });
    expect((await api.root.post('/probe/required', { name: 'x', amount: '' })).body).toEqual({
      message: { amount: ['is invalid'] },
    });
  });

  it('report the first missing attribute before invalid ones', async () => {
    const missing = (name: string): object => ({ message: `400 (Bad request) "${name}" not given` });
    expect((await api.root.post('/probe/required', { amount: 'x' })).body).toEqual(missing('name'));
    expect((await api.root.post('/probe/required', { name: 'x' })).body).toEqual(missing('amount'));
    const nested = { name: 'x', amount: 1, hashes: [{ key: 'a' }, { digit: 99 }] };
    expect((await api.root.post('/probe/required', nested)).body).toEqual(missing('hashes[1][key]'));
    const hash = { name: 'x', amount: 1, hash: {} };
    expect((await api.root.post('/probe/required', hash)).body).toEqual(missing('hash[key]'));
  });

  it('report every problem of every attribute', async () => {
    const { status, body } = await api.root.post('/probe/echo', {
      text: ['a'],
      number: 1001,
      flag: 'perhaps',
      color: 'blue',
      moment: 'yesterday',
      day: '2024-02-30',
      names: 'x',
      hash: { key: 'k', digit: 11 },
      hashes: [{ key: 'k' }, { key: '', digit: -1 }],
    });
    expect(status).toBe(400);
    expect(body).toEqual({
      message: {
        text: ['is invalid'],
        number: ['does not have a valid value'],
        flag: ['is invalid'],
        color: ['does not have a valid value'],
        moment: ['is invalid'],
        day: ['is invalid'],
        names: ['is invalid'],
        hash: { digit: ['does not have a valid value'] },
        'hashes[1]': { key: ['is empty'], digit: ['does not have a valid value'] },
      },
    });
  });

  it('refuse malformed bodies', async () => {
    const json = { 'Content-Type': 'application/json' };
    for (const text of ['{"number":', '{number:1}', "{'a':1}", '{"a":NaN}', '\u0000', '{"a":1}}']) {
      const answer = await api.root.post('/probe/echo', text, json);
      expect([text, answer.status, answer.body]).toEqual([
        text,
        400,
        { message: '400 Bad request - malformed JSON' },
      ]);
    }
    const boundless = await api.root.post('/probe/echo', 'x', { 'Content-Type': 'multipart/form-data' });
    expect([boundless.status, boundless.body]).toEqual([400, { message: '400 Bad request' }]);
    const cut = '--b\r\nContent-Disposition: form-data; name="text"\r\n\r\nunfinished';
    const type = { 'Content-Type': 'multipart/form-data; boundary=b' };
    expect((await api.root.post('/probe/echo', cut, type)).status).toBe(400);
  });

  it('treat a JSON body that is not an object as one without parameters', async () => {
    for (const text of ['[]', '[{"number":1}]', '"text"', '5', 'null', 'true', '']) {
      const answer = await api.root.post<Echo>('/probe/echo', text, { 'Content-Type': 'application/json' });
      expect([text, answer.status, answer.body.given]).toEqual([text, 201, {}]);
    }
  });

  it('do not pass on names of prototypes', async () => {
    const text = '{"__proto__":{"number":5},"constructor":{"number":5},"hash":{"__proto__":{"key":"x"}}}';
    const answer = await api.root.post('/probe/echo', text, { 'Content-Type': 'application/json' });
    expect(answer.body).toEqual({ message: '400 (Bad request) "hash[key]" not given' });
    const query = await api.root.get<Echo>('/probe/echo?__proto__[number]=5&constructor[prototype][x]=1');
    expect(query.body.given).toEqual({});
    expect(({} as Record<string, unknown>)['number']).toBeUndefined();
  });

  it('refuse JSON that is nested too deeply, and arrays that are too large', async () => {
    const deep = `{"text":${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
    const answer = await api.root.post('/probe/echo', deep, { 'Content-Type': 'application/json' });
    expect([answer.status, answer.body]).toEqual([400, { message: '400 Bad request - malformed JSON' }]);
    const many = await api.root.post('/probe/echo', { names: Array.from({ length: 10_000 }, () => 'x') });
    expect(many.body).toEqual({ message: { names: ['has too many items (maximum is 1000)'] } });
    const most = await api.root.post('/probe/echo', { names: Array.from({ length: 50_000 }, () => 'x') });
    expect([most.status, most.body]).toEqual([
      422,
      { message: '422 Unprocessable Entity - the body has more than 50000 values' },
    ]);
  });

  it('refuse texts that PostgreSQL cannot store', async () => {
    for (const text of ['a\u0000b', 'a\ud800b']) {
      const answer = await api.root.post('/probe/echo', { text });
      expect(answer.body).toEqual({ message: { text: ['is invalid'] } });
    }
  });

  it('return 415 for an unsupported body', async () => {
    for (const type of [
      'text/plain',
      'application/xml',
      'application/octet-stream',
      'json',
      'multipart/mixed',
    ]) {
      const answer = await api.root.post('/probe/echo', 'x', { 'Content-Type': type });
      expect([type, answer.status]).toEqual([type, 415]);
      expect(answer.body).toEqual({ message: '415 Unsupported Media Type' });
    }
    const charset = { 'Content-Type': 'application/x-www-form-urlencoded; charset=ebcdic' };
    expect((await api.root.post('/probe/echo', 'amount=1', charset)).status).toBe(415);
    const packed = { 'Content-Type': 'application/json', 'Content-Encoding': 'zstandard' };
    expect((await api.root.post('/probe/echo', '{}', packed)).status).toBe(415);
  });

  it('leave the stream of a raw route to its handler, whatever its type and size', async () => {
    const body = 'x'.repeat(11 * 1024 * 1024);
    for (const type of ['application/octet-stream', 'application/json', 'multipart/form-data; boundary=b']) {
      const answer = await api.root.post<{ amount: number }>('/probe/raw', body, { 'Content-Type': type });
      expect([answer.status, answer.body.amount]).toEqual([201, body.length]);
    }
    expect((await api.anonymous.post('/probe/raw', 'x')).status).toBe(401);
  });
});
