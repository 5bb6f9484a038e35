import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { X509Certificate } from 'node:crypto';
import { test } from 'node:test';
import { generateCertificate } from './certificate.js';

test('a certificate is a self-signed P-521 authority for localhost', () => {
  const { certPem, der } = generateCertificate();
  const parsed = new X509Certificate(certPem);
  assert.ok(parsed.raw.equals(der));
  assert.equal(parsed.ca, true);
  assert.equal(parsed.subject, parsed.issuer);
  assert.match(parsed.subject, /CN=localhost/);
  assert.equal(parsed.subjectAltName, 'DNS:localhost');
  assert.equal(parsed.checkHost('localhost'), 'localhost');
  assert.equal(parsed.publicKey.asymmetricKeyDetails?.namedCurve, 'secp521r1');
  assert.ok(parsed.verify(parsed.publicKey), 'its own key signed it');
  assert.deepEqual([...parsed.keyUsage].sort(), ['1.3.6.1.5.5.7.3.1', '1.3.6.1.5.5.7.3.2']);
});

test('two certificates share neither key nor serial number', () => {
  const [one, other] = [generateCertificate(), generateCertificate()];
  assert.notEqual(one.keyPem, other.keyPem);
  const serials = [one, other].map(({ der }) => new X509Certificate(der).serialNumber);
  assert.notEqual(serials[0], serials[1]);
});

test('validity is written in the form that its year asks for', () => {
  for (const year of [2026, 2039, 2040, 2055]) {
    const { der } = generateCertificate(new Date(Date.UTC(year, 1, 28, 12)));
    const parsed = new X509Certificate(der);
    assert.equal(new Date(parsed.validFrom).getUTCFullYear(), year);
    assert.equal(new Date(parsed.validTo).getUTCFullYear(), year + 10);
  }
});

test('openssl accepts it for both purposes', (t) => {
  const { certPem } = generateCertificate();
  const version = spawnSync('openssl', ['version']);
  if (version.error !== undefined) return t.skip('openssl is not installed');
  const shown = spawnSync('openssl', ['x509', '-noout', '-text', '-purpose'], {
    input: certPem,
    encoding: 'utf8',
  });
  assert.equal(shown.status, 0, shown.stderr);
  assert.match(shown.stdout, /ecdsa-with-SHA512/);
  assert.match(shown.stdout, /SSL client : Yes/);
  assert.match(shown.stdout, /SSL server : Yes/);
  assert.match(
    shown.stdout,
    /Digital Signature, Key Encipherment, Key Agreement, Certificate Sign/,
  );
});
