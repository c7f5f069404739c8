import { describe, expect, it } from '@jest/globals';
import { Config } from '#kernel/config/config.js';
import { OutboundUrls, type Resolve } from './outbound-urls.js';

class Urls extends OutboundUrls {
  constructor(config: Partial<Config>, resolve: Resolve) {
    super(Object.assign(new Config(), config));
    this.resolve = resolve;
  }
}

const PUBLIC = [{ address: '93.184.216.34', family: 4 }];
const urls = new Urls({}, (host) =>
  Promise.resolve(/^[\d.]+$|:/.test(host) ? [{ address: host, family: host.includes(':') ? 6 : 4 }] : PUBLIC),
);

describe('outbound URLs', () => {
  it('must be http or https', async () => {
    const { host, port, addresses } = await urls.check('https://example.com/base');
    expect({ host, port, addresses }).toEqual({ host: 'example.com', port: 443, addresses: PUBLIC });
    for (const url of [
      'url',
      '',
      'file:///etc/passwd',
      'gopher://example.com',
      'javascript:alert(1)',
      '//example.com',
    ])
      await expect(urls.check(url)).rejects.toThrow('URL is blocked: Only allowed schemes are http, https');
  });

  it('require a host, and contain no user', async () => {
    await expect(urls.check('http://example.com@127.0.0.1/')).rejects.toThrow(
      'URL is blocked: User information',
    );
    for (const url of [
      'http://',
      'http://a b/',
      `http://example.com/${'x'.repeat(9_000)}`,
      'http://x:0/',
      'http://x:99999/',
      // Names that curl would interpret differently from DNS.
      'http://-example.com/',
      'http://+example.com/',
      'http://*/',
      'http://example.com./',
    ])
      await expect(urls.check(url)).rejects.toThrow('URL is blocked: URL is invalid');
  });

  it('cannot point to local addresses in any notation', async () => {
    const written = [
      '127.0.0.1',
      '2130706433',
      '0x7f000001',
      '0177.0.0.1',
      '127.1',
      '0',
      '[::1]',
      '[::ffff:7f00:1]',
    ];
    for (const host of [...written, '１２７.0.0.1'])
      await expect(urls.check(`http://${host}/`)).rejects.toThrow('Requests to localhost are not allowed');
    await expect(urls.check('http://169.254.169.254/')).rejects.toThrow('Requests to the link local network');
  });

  it('are refused if one of the addresses of the host is local', async () => {
    const mixed = new Urls({}, () => Promise.resolve([...PUBLIC, { address: '10.0.0.1', family: 4 }]));
    await expect(mixed.check('http://example.com')).rejects.toThrow(
      'Requests to the local network are not allowed',
    );
  });

  it('can be resolved again if the name server does not know the host', async () => {
    const lost = new Urls({}, () => Promise.reject(new Error('EAI_AGAIN')));
    await expect(lost.check('http://example.com')).rejects.toMatchObject({ isFinal: false });
  });

  it('can be local if configured: in general, or for one host and port', async () => {
    const local: Resolve = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
    await new Urls({ ALLOW_LOCAL_REQUESTS: true }, local).check('http://source:8080');
    const one = new Urls({ OUTBOUND_ALLOWLIST: ['Source:8080'] }, local);
    await one.check('http://SOURCE:8080/x');
    await expect(one.check('http://source:8081')).rejects.toThrow('localhost');
  });
});
