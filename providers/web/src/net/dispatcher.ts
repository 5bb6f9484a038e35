// Connections to what was checked: a name is resolved once, all of its addresses are checked, and it is to one
// of exactly those that the socket goes. A second look-up, which could answer differently, does not happen.
import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { type Dispatcher, EnvHttpProxyAgent } from 'undici';
import type { WebConfig } from '../config.js';
import { checkAddress } from './policy.js';

/** Resolves a name to all of its addresses, as dns.lookup with `all` does. */
export type Resolve = typeof systemLookup;

/** One for each request: it knows the URL that its connections are for. Close it afterwards. */
export function dispatcherFor(
  url: URL,
  config: WebConfig,
  resolve: Resolve = systemLookup,
): Dispatcher {
  const lookup: LookupFunction = (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, '', 0);
      try {
        for (const { address } of addresses) checkAddress(address, url, config);
      } catch (refusal) {
        return callback(refusal as NodeJS.ErrnoException, '', 0);
      }
      const [first] = addresses;
      if (options.all === true) return callback(null, addresses);
      callback(null, first?.address ?? '', first?.family ?? 4);
    });
  };
  const env = process.env;
  return new EnvHttpProxyAgent({
    httpProxy: config.http_proxy ?? env['http_proxy'] ?? env['HTTP_PROXY'] ?? '',
    httpsProxy: config.https_proxy ?? env['https_proxy'] ?? env['HTTPS_PROXY'] ?? '',
    noProxy: config.no_proxy ?? env['no_proxy'] ?? env['NO_PROXY'] ?? '',
    connect: { lookup, timeout: config.timeout_seconds * 1000 },
    // Nothing is kept open between calls.
    pipelining: 0,
    keepAliveTimeout: 1,
  });
}
