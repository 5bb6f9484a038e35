// What may be asked: by scheme, by host name, and by the addresses that a name stands for. Pure. The same
// questions are asked of the first URL and of every redirect (CFG-03).
import { fail, type ToolError } from '@tenon/provider';
import type { WebConfig } from '../config.js';
import { isWithin, rangeOf } from './address.js';

/** A URL as a text. Throws `invalid_arguments` or `permission_denied`. */
export function checkUrl(text: string, config: WebConfig): URL {
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    throw fail.invalidArguments(
      `/url: "${text}" is not a complete URL such as https://example.org/`,
    );
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw fail.permissionDenied(`${url.protocol}// is not allowed: only http and https are`, {
      url: text,
    });
  }
  if (url.username !== '' || url.password !== '') {
    throw fail.invalidArguments('/url: a name and password in the URL are not accepted');
  }
  const host = hostOf(url);
  const denied = config.denied_domains.find((domain) => isUnder(host, domain));
  if (denied !== undefined) throw refused(url, `${denied} is denied by configuration`);
  if (config.allowed_domains !== undefined && !isAllowedName(url, config)) {
    throw refused(url, `only these are allowed: ${config.allowed_domains.join(', ')}`);
  }
  // A host that is an address is connected to without a look-up.
  if (isAddress(host)) checkAddress(host, url, config);
  // By definition this machine, whatever a name service says.
  if (/(?:^|\.)localhost$/.test(host)) checkAddress('127.0.0.1', url, config);
  return url;
}

/** Throws `permission_denied` unless the address is public, or allowed for this URL. */
export function checkAddress(address: string, url: URL, config: WebConfig): void {
  const range = rangeOf(address);
  if (range === 'public' || isAllowedPrivate(address, url, config)) return;
  const host = hostOf(url);
  const what = host === address ? host : `${host} stands for ${address}, which`;
  throw refused(
    url,
    `${what} is not a public address (${range}); allow_private in the configuration can allow it`,
  );
}

/** The host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function isAddress(host: string): boolean {
  return rangeOf(host) !== 'invalid';
}

function isAllowedName(url: URL, config: WebConfig): boolean {
  const host = hostOf(url);
  return (
    (config.allowed_domains ?? []).some((domain) => isUnder(host, domain)) ||
    config.allow_private.some((entry) => namesHost(entry, url))
  );
}

function isAllowedPrivate(address: string, url: URL, config: WebConfig): boolean {
  return config.allow_private.some((entry) => isWithin(address, entry) || namesHost(entry, url));
}

/** "host" or "host:port". */
function namesHost(entry: string, url: URL): boolean {
  const port = url.port === '' ? (url.protocol === 'https:' ? '443' : '80') : url.port;
  const wanted = entry.toLowerCase();
  return wanted === hostOf(url) || wanted === `${hostOf(url)}:${port}` || wanted === url.host;
}

function isUnder(host: string, domain: string): boolean {
  const name = domain.toLowerCase().replace(/\.$/, '');
  if (name.startsWith('=')) return host === name.slice(1);
  const bare = name.replace(/^\*?\./, '');
  return host === bare || host.endsWith(`.${bare}`);
}

function refused(url: URL, why: string): ToolError {
  return fail.permissionDenied(`${url.href} may not be asked: ${why}`, { url: url.href });
}
