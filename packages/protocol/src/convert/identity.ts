// ProviderIdentity ↔ ProducerRef, the answer of Describe (RPC-02).
import type { ProviderIdentity } from '../domain/operation.js';
import type { ProducerRef } from '../gen/pluggableharness/common/v1/common_pb.js';
import { Category } from '../gen/pluggableharness/common/v1/common_pb.js';
import { categories, type ProviderCategory } from './enums.js';

/** A category that the wire does not know is sent as unspecified. */
export function identityToWire(identity: ProviderIdentity): ProducerRef {
  return {
    $typeName: 'pluggableharness.common.v1.ProducerRef',
    name: identity.name,
    version: identity.version,
    source: identity.source,
    category: categories.toWire(identity.category as ProviderCategory) ?? Category.UNSPECIFIED,
    protocolVersion: identity.protocolVersion,
  };
}

/** A category number of a newer peer becomes "category N". */
export function identityFromWire(wire: ProducerRef): ProviderIdentity {
  return {
    name: wire.name,
    version: wire.version,
    source: wire.source,
    category: categories.fromWire(wire.category) ?? `category ${wire.category}`,
    protocolVersion: wire.protocolVersion,
  };
}
