import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { generateCertificate } from './certificate.js';
import { formatHandshakeLine, type HandshakeLine, parseHandshakeLine } from './handshake-line.js';

const { der } = generateCertificate();

test('what is written is read back', () => {
  const lines = fc.record(
    {
      protocolVersion: fc.nat(999_999),
      network: fc.constant('unix' as const),
      address: fc.stringMatching(/^\/[a-z0-9/. -]{0,80}[a-z0-9]$/),
      certificate: fc.constant(der),
      multiplex: fc.boolean(),
    },
    { requiredKeys: ['protocolVersion', 'network', 'address'], noNullPrototype: true },
  );
  fc.assert(
    fc.property(lines, (line: HandshakeLine) => {
      assert.deepEqual(parseHandshakeLine(formatHandshakeLine(line)), { ok: true, line });
    }),
  );
});

test('no text makes the parser throw', () => {
  const fields = fc.array(fc.oneof(fc.string(), fc.constantFrom('1', 'unix', 'tcp', 'grpc', '')));
  fc.assert(
    fc.property(fields, (parts) => {
      const result = parseHandshakeLine(parts.join('|'), [1]);
      if (!result.ok) assert.notEqual(result.reason, '');
    }),
  );
});

test('lines of other libraries are understood', () => {
  for (const text of [
    '1|1|tcp|127.0.0.1:1234|grpc',
    '1|1|unix|/tmp/p|grpc|\r',
    ' 1|1|unix|/p|grpc|extra ',
  ]) {
    const result = parseHandshakeLine(text, [1]);
    assert.equal(result.ok, true, text);
    assert.equal(result.ok && result.line.certificate, undefined);
  }
});

const refused: [line: string, failure: string, reason: RegExp][] = [
  ['', 'handshake', /not a go-plugin handshake/],
  ['listening on port 1234', 'handshake', /nothing may be printed on stdout before/],
  ['1|1|unix', 'handshake', /CORE\|APP\|NETWORK/],
  ['2|1|unix|/p|grpc|', 'version', /core protocol 2, this host speaks 1/],
  ['x|1|unix|/p|grpc|', 'handshake', /core protocol version, is "x"/],
  ['1|one|unix|/p|grpc|', 'handshake', /protocol version, is "one"/],
  ['1|9|unix|/p|grpc|', 'version', /version 9, this host accepts 1, 2/],
  ['1|1|udp|/p|grpc|', 'handshake', /network is "udp"/],
  ['1|1|tcp|localhost|grpc|', 'handshake', /address is "localhost"/],
  ['1|1|unix||grpc|', 'handshake', /address is ""/],
  ['1|1|unix|/p|netrpc|', 'handshake', /only grpc is supported/],
  ['1|1|unix|/p', 'handshake', /only grpc is supported/],
  [`1|1|unix|/p|grpc|${'A'.repeat(60)}`, 'tls', /no certificate/],
];

for (const [line, failure, reason] of refused) {
  test(`refused: ${JSON.stringify(line.slice(0, 40))}`, () => {
    const result = parseHandshakeLine(line, [1, 2]);
    assert.equal(result.ok, false);
    assert.equal(result.failure, failure);
    assert.match(result.reason, reason);
  });
}
