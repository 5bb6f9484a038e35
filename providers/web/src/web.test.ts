// The web provider as a kernel in the same process sees it, against real servers on loopback.
import assert from 'node:assert/strict';
import type { LookupAddress } from 'node:dns';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { test, type TestContext } from 'node:test';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { JsonObject, ToolError } from '@tenon/provider';
import { waitUntil } from '@tenon/test-support';
import { pageToMarkdown } from './content/markdown.js';
import { present } from './content/present.js';
import { provider } from './index.js';
import { rangeOf } from './net/address.js';
import { ask } from './net/ask.js';
import { checkUrl } from './net/policy.js';
import type { WebConfig } from './config.js';
import type { Resolve } from './net/dispatcher.js';

async function server(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<string> {
  const listening = createServer(handle).listen(0, '127.0.0.1');
  await once(listening, 'listening');
  t.after(() => {
    listening.closeAllConnections();
    listening.close();
  });
  return `127.0.0.1:${(listening.address() as AddressInfo).port}`;
}

async function started(t: TestContext, config: JsonObject = {}) {
  const silent = { emit: async () => ({ id: '', sequence: 0 }), log: () => {} };
  const running = await provider.inProcess().start(silent);
  t.after(() => running.stop());
  await running.configure(config);
  return async (toolName: string, args: JsonObject, signal = new AbortController().signal) => {
    const context = { sessionId: 's', turnId: 't', workingDirectory: '/' };
    for await (const received of running.invoke(
      { id: 'c', toolName, arguments: args, context },
      { signal },
    )) {
      assert.ok(received.ok);
      if (received.event.type === 'result') return { payload: received.event.payload };
      if (received.event.type === 'error') return { error: received.event.error };
    }
    return { error: { category: 'cancelled', message: '', retryable: false } as const };
  };
}

const BASE: WebConfig = {
  allowed_domains: undefined,
  denied_domains: [],
  allow_private: [],
  max_bytes: 1_000_000,
  max_characters: 10_000,
  timeout_seconds: 10,
  max_redirects: 5,
  user_agent: 'test',
  http_proxy: '',
  https_proxy: '',
  no_proxy: '',
};

/** A name service that knows these names. */
function resolver(names: Record<string, string[]>): Resolve {
  const answer = (
    name: string,
    _options: unknown,
    callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
  ): void => {
    const addresses = (names[name] ?? []).map((address) => ({
      address,
      family: address.includes(':') ? 6 : 4,
    }));
    const unknown =
      addresses.length === 0 ? Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }) : null;
    callback(unknown, addresses);
  };
  return answer as unknown as Resolve;
}

test('W1 addresses that are not public are refused in every spelling', async (t) => {
  const call = await started(t);
  for (const url of [
    'http://127.0.0.1:1/',
    'http://[::1]/',
    'http://169.254.169.254/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://127.1/',
    'http://0177.0.0.1/',
    'http://[::ffff:127.0.0.1]/',
    'http://[64:ff9b::7f00:1]/',
    'http://[::127.0.0.1]/',
    'http://[2002:7f00:1::]/',
    'http://10.0.0.1/',
    'http://172.20.1.1/',
    'http://192.168.0.1/',
    'http://100.64.0.1/',
    'http://0.0.0.0/',
    'http://[fe80::1]/',
    'http://[fd00::1]/',
    'http://localhost/',
    'http://localhost./',
    'file:///etc/passwd',
    'ftp://example.org/',
  ]) {
    const { error } = await call('web_fetch', { url });
    assert.equal(error?.category, 'permission_denied', url);
  }
  assert.equal(rangeOf('93.184.216.34'), 'public');
  assert.equal(rangeOf('2606:4700::1111'), 'public');
});

test('W1 a public name that stands for a private address is refused, also beside a public one', async () => {
  const resolve = resolver({
    'inner.example': ['10.0.0.1'],
    'mixed.example': ['93.184.216.34', '127.0.0.1'],
    'six.example': ['::1'],
  });
  for (const host of ['inner.example', 'mixed.example', 'six.example']) {
    await assert.rejects(
      ask({
        method: 'GET',
        url: `http://${host}/`,
        headers: {},
        config: BASE,
        signal: new AbortController().signal,
        resolve,
      }),
      (error: ToolError) => error.category === 'permission_denied',
      host,
    );
  }
});

test('W1 the address that was checked is the one that is connected to', async (t) => {
  const address = await server(t, (_request, response) => response.end('reached'));
  const port = address.split(':')[1] ?? '';
  let lookups = 0;
  const counting: Resolve = ((name: string, options: unknown, callback: never) => {
    lookups += 1;
    resolver({ 'rebind.example': ['127.0.0.1'] })(name, options as never, callback);
  }) as unknown as Resolve;
  const config = { ...BASE, allow_private: ['127.0.0.1'] };
  const answer = await ask({
    method: 'GET',
    url: `http://rebind.example:${port}/`,
    headers: {},
    config,
    signal: new AbortController().signal,
    resolve: counting,
  });
  assert.equal(answer.body.toString(), 'reached');
  assert.equal(lookups, 1, 'there is no second look-up that could answer differently');
});

test('W1 a redirect from an allowed page to a private one is refused', async (t) => {
  const inner = await server(t, (_request, response) => response.end('secret'));
  const outer = await server(t, (request, response) => {
    response.writeHead(302, {
      location: request.url === '/file' ? 'file:///etc/passwd' : `http://${inner}/`,
    });
    response.end();
  });
  const call = await started(t, { allow_private: [outer] });
  for (const path of ['/', '/file']) {
    const { error } = await call('web_fetch', { url: `http://${outer}${path}` });
    assert.equal(error?.category, 'permission_denied', path);
  }
});

test('names are allowed and denied with their subdomains', () => {
  const config = {
    ...BASE,
    allowed_domains: ['example.org', '=exact.net'],
    denied_domains: ['bad.example.org'],
  };
  assert.equal(checkUrl('https://www.example.org/x', config).host, 'www.example.org');
  assert.equal(checkUrl('https://exact.net/', config).host, 'exact.net');
  for (const url of [
    'https://notexample.org/',
    'https://example.org.evil.net/',
    'https://sub.exact.net/',
    'https://bad.example.org/',
    'https://x.bad.example.org/',
    'https://user:pass@example.org/',
  ]) {
    assert.throws(() => checkUrl(url, config), url);
  }
});

test('a page becomes markdown, JSON and text stay, and what is cut says so', async (t) => {
  const address = await server(t, (request, response) => {
    if (request.url === '/page') {
      response.setHeader('content-type', 'text/html; charset=iso-8859-1');
      response.end(
        Buffer.from(
          '<html><head><title>A &amp; B</title><script>bad()</script></head><body><nav>menu</nav><main><h1>Gr\xfc\xdfe</h1><p>See <a href="/x">here</a>.</p><table><tr><th>a</th></tr><tr><td>1</td></tr></table></main></body></html>',
          'latin1',
        ),
      );
    } else if (request.url === '/json') {
      response.setHeader('content-type', 'application/json');
      response.setHeader('content-encoding', 'gzip');
      response.end(gzipSync('{"a": 1}'));
    } else if (request.url === '/bomb') {
      response.setHeader('content-encoding', 'br');
      response.end(brotliCompressSync(Buffer.alloc(50_000_000, 'x')));
    } else {
      response.end(Buffer.from([0, 1, 2]));
    }
  });
  const call = await started(t, {
    allow_private: [address],
    max_bytes: 100_000,
    max_characters: 1_000,
  });
  const page = await call('web_fetch', { url: `http://${address}/page` });
  assert.equal(page.payload?.['title'], 'A & B');
  const content = page.payload?.['content'] as string;
  assert.match(content, /^# Grüße/);
  assert.match(content, new RegExp(`\\[here\\]\\(http://${address}/x\\)`));
  assert.match(content, /\| a \|/);
  assert.doesNotMatch(content, /menu|bad\(/);
  const raw = await call('web_fetch', { url: `http://${address}/page`, raw: true });
  assert.match(raw.payload?.['content'] as string, /<nav>menu/);
  assert.equal(
    (await call('web_fetch', { url: `http://${address}/json` })).payload?.['content'],
    '{"a": 1}',
  );
  const bomb = await call('web_fetch', { url: `http://${address}/bomb` });
  assert.equal(bomb.payload?.['truncated'], true);
  const binary = await call('web_fetch', { url: `http://${address}/bin` });
  assert.match(binary.payload?.['content'] as string, /3 bytes of binary/);
});

test('ERR-06 a status of 400 and above is a failure with an excerpt, retryable where that is honest', async (t) => {
  const address = await server(t, (request, response) => {
    response.statusCode = Number(request.url?.slice(1));
    response.end('because of this');
  });
  const call = await started(t, { allow_private: [address] });
  for (const [status, retryable] of [
    [404, false],
    [403, false],
    [429, true],
    [503, true],
  ]) {
    const { error } = await call('web_fetch', { url: `http://${address}/${status}` });
    assert.equal(error?.category, 'execution_failed');
    assert.equal(error.retryable, retryable, String(status));
    assert.deepEqual(
      [error.details?.['status'], error.details?.['excerpt']],
      [status, 'because of this'],
    );
  }
});

test('failures of the network are told apart', async (t) => {
  const address = await server(t, (request, response) => {
    if (request.url === '/reset') request.socket.destroy();
    else if (request.url === '/loop') response.writeHead(302, { location: '/loop' }).end();
  });
  const call = await started(t, {
    allow_private: ['127.0.0.1'],
    timeout_seconds: 0.3,
    max_redirects: 3,
  });
  const reset = await call('web_fetch', { url: `http://${address}/reset` });
  assert.deepEqual([reset.error?.category, reset.error?.retryable], ['execution_failed', true]);
  const slow = await call('web_fetch', { url: `http://${address}/slow` });
  assert.equal(slow.error?.category, 'timeout');
  const loop = await call('web_fetch', { url: `http://${address}/loop` });
  assert.match(loop.error?.message ?? '', /more than 3 times/);
  const refused = await call('web_fetch', { url: 'http://127.0.0.1:1/' });
  assert.deepEqual([refused.error?.category, refused.error?.retryable], ['execution_failed', true]);
  await assert.rejects(
    ask({
      method: 'GET',
      url: 'http://no-such-name.example/',
      headers: {},
      config: BASE,
      signal: new AbortController().signal,
      resolve: resolver({}),
    }),
    (error: ToolError) => error.category === 'not_found',
  );
});

test('http_request sends what it is told, and leaves secrets behind at another origin', async (t) => {
  const seen: {
    method?: string | undefined;
    url?: string | undefined;
    auth?: string | undefined;
    body: string;
  }[] = [];
  const record = (request: IncomingMessage, done: () => void): void => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      seen.push({
        method: request.method,
        url: request.url,
        auth: request.headers.authorization,
        body,
      });
      done();
    });
  };
  const other = await server(t, (request, response) =>
    record(request, () => response.end('other')),
  );
  const address = await server(t, (request, response) =>
    record(request, () => {
      if (request.url === '/away')
        response.writeHead(307, { location: `http://${other}/there` }).end();
      else if (request.url === '/see') response.writeHead(303, { location: '/done' }).end();
      else response.setHeader('x-made', 'yes').end('done');
    }),
  );
  const call = await started(t, { allow_private: ['127.0.0.1'] });
  const headers = [{ name: 'Authorization', value: 'Bearer x' }];
  const put = await call('http_request', {
    method: 'PUT',
    url: `http://${address}/a`,
    headers,
    body: 'text',
  });
  assert.equal(put.payload?.['body'], 'done');
  assert.ok(
    ((put.payload?.['headers'] ?? []) as { name: string; value: string }[]).some(
      ({ name }) => name === 'x-made',
    ),
  );
  await call('http_request', {
    method: 'POST',
    url: `http://${address}/away`,
    headers,
    body: 'moved',
  });
  await call('http_request', {
    method: 'POST',
    url: `http://${address}/see`,
    headers,
    body: 'seen',
  });
  assert.deepEqual(
    seen.map((one) => [one.method, one.url, one.auth, one.body]),
    [
      ['PUT', '/a', 'Bearer x', 'text'],
      ['POST', '/away', 'Bearer x', 'moved'],
      ['POST', '/there', undefined, 'moved'],
      ['POST', '/see', 'Bearer x', 'seen'],
      ['GET', '/done', 'Bearer x', ''],
    ],
  );
  for (const name of ['Host', 'Content-Length', 'X\r\nY']) {
    const { error } = await call('http_request', {
      method: 'GET',
      url: `http://${address}/`,
      headers: [{ name, value: '1' }],
    });
    assert.equal(error?.category, 'invalid_arguments', name);
  }
});

test('a proxy of the configuration carries the request', async (t) => {
  const target = await server(t, (request, response) =>
    response.end(`seen ${request.headers.host}`),
  );
  const tunnels: string[] = [];
  const proxy = createServer();
  proxy.on('connect', (request, client) => {
    tunnels.push(request.url ?? '');
    const [host = '', port = ''] = target.split(':');
    const upstream = connect(Number(port), host, () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n');
      client.pipe(upstream).pipe(client);
    });
    // Either end may hang up first.
    upstream.on('error', () => client.destroy());
    client.on('error', () => upstream.destroy());
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  t.after(() => proxy.close());
  const { port } = proxy.address() as AddressInfo;
  const call = await started(t, {
    http_proxy: `http://127.0.0.1:${port}`,
    no_proxy: 'none.example',
  });
  const { payload, error } = await call('web_fetch', { url: 'http://93.184.216.34/x' });
  assert.equal(payload?.['content'], 'seen 93.184.216.34', JSON.stringify(error));
  assert.deepEqual(tunnels, ['93.184.216.34:80']);
});

test('CAN-02 a cancel ends the request and its connection', async (t) => {
  const abort = new AbortController();
  let closed = false;
  const address = await server(t, (request, response) => {
    response.write('start');
    request.on('close', () => {
      closed = true;
    });
    abort.abort();
  });
  const call = await started(t, { allow_private: [address] });
  const { error } = await call('web_fetch', { url: `http://${address}/` }, abort.signal);
  assert.equal(error?.category, 'cancelled');
  await waitUntil(() => closed);
});

test('markdown of broken pages never throws', () => {
  const base = new URL('https://example.org/a/');
  for (const html of [
    '',
    '<',
    '<p>a<b>c',
    '<a href="javascript:x()">t</a>',
    '<main><main></main>',
    '\u0000',
  ]) {
    assert.equal(typeof pageToMarkdown(html, base).markdown, 'string');
  }
  assert.equal(pageToMarkdown('<body><a href="javascript:x()">t</a></body>', base).markdown, 't');
  const shown = present(Buffer.from('😀'.repeat(100)), 'text/plain', base, {
    raw: false,
    maxCharacters: 51,
  });
  assert.doesNotMatch(shown.content, /[\ud800-\udbff](?![\udc00-\udfff])/);
});
