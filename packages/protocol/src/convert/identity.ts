// ProviderIdentity ↔ ProducerRef, the answer of Describe (RPC-02).
import type { ProviderIdentity } from '../domain/operation.js';
import { Category, type ProducerRef } from '../gen/pluggableharness/common/v1/common_pb.js';
import { categories, type ProviderCategory } from './enums.js';

export function identityToWire(identity: ProviderIdentity): ProducerRef {
  return {
    $typeName: 'pluggableharness.common.v1.ProducerRef',
    name: identity.name,
    version: identity.version,
    source: identity.source,
    category: categoryToWire(identity.category),
    protocolVersion: identity.protocolVersion,
  };
}

/** The number that "category N" names; what is no category at all is sent as unspecified. */
function categoryToWire(category: string): Category {
  const number = /^category (-?\d{1,10})$/.exec(category)?.[1];
  // Enums of proto3 are open: any number is a value of one.
  // oxlint-disable-next-line typescript/no-unsafe-enum-assignment
  if (number !== undefined) return Number(number);
  return categories.toWire(category as ProviderCategory) ?? Category.UNSPECIFIED;
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
