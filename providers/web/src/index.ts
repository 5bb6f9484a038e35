// Public index of the web provider.
import { defineProvider } from '@tenon/provider';
import { config } from './config.js';
import { httpRequest } from './operations/http-request.js';
import { webFetch } from './operations/web-fetch.js';

/** The provider: web_fetch, http_request. */
export const provider = defineProvider({
  name: 'web',
  version: '0.1.0',
  source: '@tenon/provider-web',
  config,
  operations: { web_fetch: webFetch, http_request: httpRequest },
});
