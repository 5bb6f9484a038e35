// The configuration block of the web provider.
import { attr, type ConfigOf, configSchema } from '@tenon/provider';

export const config = configSchema({
  allowed_domains: attr.listString({
    description:
      'Only these hosts may be asked: "example.org" with its subdomains, "=example.org" without. Default: any public host.',
  }),
  denied_domains: attr.listString({
    description: 'These hosts, with their subdomains, may never be asked.',
    default: [],
  }),
  allow_private: attr.listString({
    description:
      'Addresses that are not public but may be asked all the same: a host, "host:port", an address or a CIDR range.',
    default: [],
  }),
  max_bytes: attr.number({
    description: 'Bytes of a body that are read, after decompression.',
    default: 5_000_000,
  }),
  max_characters: attr.number({
    description: 'Characters of content that a result shows.',
    default: 100_000,
  }),
  timeout_seconds: attr.number({
    description: 'For a whole request, redirects included.',
    default: 30,
  }),
  max_redirects: attr.number({ description: 'Redirects that are followed.', default: 10 }),
  user_agent: attr.string({
    description: 'What the provider calls itself.',
    default: 'tenon-web/0.1',
  }),
  http_proxy: attr.string({
    description: 'Proxy for http. Default: HTTP_PROXY of the environment.',
    sensitive: true,
  }),
  https_proxy: attr.string({
    description: 'Proxy for https. Default: HTTPS_PROXY of the environment.',
    sensitive: true,
  }),
  no_proxy: attr.string({
    description: 'Hosts that are asked without a proxy. Default: NO_PROXY of the environment.',
  }),
});

export type WebConfig = ConfigOf<typeof config>;
