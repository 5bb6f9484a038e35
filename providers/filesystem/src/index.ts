// Public index of @tenon/provider-filesystem: the provider, to be served or to be run in process.
export { provider } from './provider.js';
